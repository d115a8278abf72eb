#include "front/tokenizer/jinja/text/text.h"

#include <utf8proc.h>

#include <algorithm>

namespace mindspeed::jinja {

Text::Text(std::string bytes, uint8_t marks) : bytes_(std::move(bytes)) {
  if (!bytes_.empty()) runs_.push_back({bytes_.size(), marks});
}

uint8_t Text::marks_at(size_t offset) const {
  for (const Run& run : runs_)
    if (offset < run.end) return run.marks;
  return runs_.empty() ? 0 : runs_.back().marks;
}

void Text::append(std::string_view bytes, uint8_t marks) {
  if (bytes.empty()) return;
  bytes_ += bytes;
  if (!runs_.empty() && runs_.back().marks == marks)
    runs_.back().end = bytes_.size();
  else
    runs_.push_back({bytes_.size(), marks});
}

void Text::append(const Text& other) {
  size_t begin = 0;
  for (const Run& run : other.runs_) {
    append(std::string_view(other.bytes_).substr(begin, run.end - begin), run.marks);
    begin = run.end;
  }
}

Text Text::slice(size_t begin, size_t end) const {
  Text result;
  result.is_markup_ = is_markup_;
  size_t run_begin = 0;
  for (const Run& run : runs_) {
    const size_t from = std::max(begin, run_begin), to = std::min(end, run.end);
    if (from < to) result.append(std::string_view(bytes_).substr(from, to - from), run.marks);
    run_begin = run.end;
  }
  return result;
}

Text Text::with_marks(uint8_t marks) const {
  Text result;
  size_t begin = 0;
  for (const Run& run : runs_) {
    result.append(std::string_view(bytes_).substr(begin, run.end - begin), run.marks | marks);
    begin = run.end;
  }
  return result;
}

Text Text::as_markup() const {
  Text result = *this;
  result.is_markup_ = true;
  return result;
}

size_t Text::length() const {
  return std::count_if(bytes_.begin(), bytes_.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

std::vector<size_t> Text::code_point_ends() const {
  std::vector<size_t> ends{0};
  ends.reserve(bytes_.size() + 1);
  for (size_t offset = 0; offset < bytes_.size();) {
    next_code_point(bytes_, offset);
    ends.push_back(offset);
  }
  return ends;
}

char32_t next_code_point(std::string_view bytes, size_t& offset) {
  utf8proc_int32_t code_point = 0;
  const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()) + offset;
  const auto used = utf8proc_iterate(data, static_cast<utf8proc_ssize_t>(bytes.size() - offset), &code_point);
  offset += used > 0 ? used : 1;
  return used > 0 ? static_cast<char32_t>(code_point) : U'\uFFFD';
}

std::string encode_utf8(char32_t code_point) {
  utf8proc_uint8_t buffer[4];
  const auto used = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), buffer);
  return std::string(reinterpret_cast<const char*>(buffer), used > 0 ? used : 0);
}

bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool is_printable(char32_t c) {
  if (c < 127) return c >= 32;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

}  // namespace mindspeed::jinja
