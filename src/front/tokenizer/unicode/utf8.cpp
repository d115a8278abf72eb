#include "front/tokenizer/unicode/utf8.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed::tokenization {
namespace {

unsigned char byte(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

// Length announced by a lead byte; 0 for bytes that cannot lead.
size_t announced_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

// True if `next` may be the second byte after `lead` (no overlong forms, surrogates, or values above
// U+10FFFF).
bool second_byte_fits(unsigned char lead, unsigned char next) {
  if (lead == 0xe0) return next >= 0xa0 && next < 0xc0;
  if (lead == 0xed) return next >= 0x80 && next < 0xa0;
  if (lead == 0xf0) return next >= 0x90 && next < 0xc0;
  if (lead == 0xf4) return next >= 0x80 && next < 0x90;
  return next >= 0x80 && next < 0xc0;
}

// Length of the longest prefix of bytes[at..] that begins a valid character, whole or not; 0 if none does.
size_t valid_prefix(std::string_view bytes, size_t at) {
  const size_t want = announced_length(byte(bytes, at));
  if (want == 0) return 0;
  size_t have = 1;
  while (have < want && at + have < bytes.size()) {
    const unsigned char next = byte(bytes, at + have);
    if (have == 1 ? !second_byte_fits(byte(bytes, at), next) : (next & 0xc0) != 0x80) break;
    ++have;
  }
  return have;
}

}  // namespace

size_t character_length(std::string_view text, size_t at) {
  const size_t length = announced_length(byte(text, at));
  return length == 0 ? 1 : std::min(length, text.size() - at);
}

char32_t character_at(std::string_view text, size_t at) {
  utf8proc_int32_t code_point = 0;
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                   static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
  return static_cast<char32_t>(code_point);
}

void append_utf8(char32_t code_point, std::string& out) {
  std::array<utf8proc_uint8_t, 4> buffer{};
  const auto n = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), buffer.data());
  out.append(reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(n));
}

size_t incomplete_tail(std::string_view bytes) {
  for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const size_t at = bytes.size() - back;
    const size_t want = announced_length(byte(bytes, at));
    if (want > back) return valid_prefix(bytes, at) == back ? back : 0;
    if ((byte(bytes, at) & 0xc0) != 0x80) return 0;  // not a continuation: nothing before it is open
  }
  return 0;
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const size_t have = valid_prefix(bytes, i);
    if (have > 0 && have == announced_length(byte(bytes, i)))
      out += bytes.substr(i, have);
    else
      out += "\xef\xbf\xbd";
    i += std::max<size_t>(have, 1);
  }
  return out;
}

const std::array<std::string, 256>& byte_alphabet() {
  static const std::array<std::string, 256> alphabet = [] {
    std::array<std::string, 256> table;
    char32_t next = 256;
    for (char32_t b = 0; b < 256; ++b) {
      const bool printable = (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
      append_utf8(printable ? b : next++, table[b]);
    }
    return table;
  }();
  return alphabet;
}

std::optional<std::string> bytes_of(std::string_view token) {
  // Code points of the alphabet end at U+0143.
  static const std::array<int, 0x144> inverse = [] {
    std::array<int, 0x144> table{};
    table.fill(-1);
    for (int b = 0; b < 256; ++b) table[character_at(byte_alphabet()[static_cast<size_t>(b)], 0)] = b;
    return table;
  }();
  std::string bytes;
  for (size_t i = 0; i < token.size(); i += character_length(token, i)) {
    const char32_t c = character_at(token, i);
    if (c >= inverse.size() || inverse[c] < 0) return std::nullopt;
    bytes += static_cast<char>(inverse[c]);
  }
  return bytes;
}

std::string normal_form(std::string_view text, UnicodeForm form) {
  bool ascii = true;
  for (const char c : text) ascii &= static_cast<unsigned char>(c) < 0x80;
  if (ascii) return std::string(text);
  int options = UTF8PROC_STABLE;
  const bool compose = form == UnicodeForm::nfc || form == UnicodeForm::nfkc;
  options |= compose ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (form == UnicodeForm::nfkc || form == UnicodeForm::nfkd) options |= UTF8PROC_COMPAT;
  utf8proc_uint8_t* raw = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &raw, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
  if (length < 0) fail("tokenizer", "cannot normalise a text: {}", utf8proc_errmsg(length));
  return {reinterpret_cast<const char*>(raw), static_cast<size_t>(length)};
}

std::string lower_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); i += character_length(text, i)) {
    const char32_t c = character_at(text, i);
    if (c == 0x130)  // the one character whose lower case is two
      out += "i\xcc\x87";
    else
      append_utf8(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))), out);
  }
  return out;
}

std::string without_marks(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i += character_length(text, i))
    if (utf8proc_category(static_cast<utf8proc_int32_t>(character_at(text, i))) != UTF8PROC_CATEGORY_MN)
      out += text.substr(i, character_length(text, i));
  return out;
}

bool is_word(char32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return code_point == 0x200c || code_point == 0x200d;
  }
}

bool is_space(char32_t code_point) {
  if ((code_point >= 9 && code_point <= 13) || code_point == 0x85) return true;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool is_other(char32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
      return true;
    default:
      return false;
  }
}

}  // namespace mindspeed::tokenization
