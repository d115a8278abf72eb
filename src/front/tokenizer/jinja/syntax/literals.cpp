#include "front/tokenizer/jinja/syntax/literals.h"

#include <cerrno>
#include <cstdlib>

#include "front/tokenizer/jinja/syntax/lexer.h"
#include "front/tokenizer/jinja/text/text.h"

namespace mindspeed::jinja {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

char32_t read_hex(std::string_view body, size_t at, size_t digits, int line) {
  uint32_t value = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int digit = at + i < body.size() ? digit_value(body[at + i]) : 99;
    if (digit > 15) refuse_template(line, "a string holds an incomplete \\x or \\u escape");
    value = value * 16 + digit;
  }
  if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
    refuse_template(line, "a string holds an escape that is no character");
  return value;
}

// One-letter escapes; 0 if there is none.
char simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case '\\':
    case '\'':
    case '"':
      return c;
    default:
      return 0;
  }
}

}  // namespace

std::string unescape(std::string_view body, int line) {
  std::string result;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 >= body.size()) {
      result += body[i];
      continue;
    }
    const char c = body[++i];
    if (const char simple = simple_escape(c)) {
      result += simple;
    } else if (c == 'x' || c == 'u' || c == 'U') {
      const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      result += encode_utf8(read_hex(body, i + 1, digits, line));
      i += digits;
    } else if (c >= '0' && c <= '7') {
      uint32_t value = 0;
      size_t used = 0;
      while (used < 3 && i + used < body.size() && digit_value(body[i + used]) < 8)
        value = value * 8 + digit_value(body[i + used++]);
      result += encode_utf8(value);
      i += used - 1;
    } else if (c == 'N') {
      refuse_template(line, "the escape \\N{...} is not supported; write the character itself");
    } else if (c != '\n') {
      result += '\\';
      result += c;
    }
  }
  return result;
}

NumberLiteral read_number_literal(std::string_view text, bool after_dot, int line) {
  const auto digits = [&](size_t at, int base,
                          std::string& out) {  // digits with single underscores between them
    while (at < text.size()) {
      const size_t digit = text[at] == '_' ? at + 1 : at;
      if (digit >= text.size() || digit_value(text[digit]) >= base || (out.empty() && digit != at)) break;
      out += text[digit];
      at = digit + 1;
    }
    return at;
  };
  std::string number;
  int base = 10;
  size_t end = 0;
  if (text.size() > 2 && text[0] == '0') {
    const char prefix = text[1] | 0x20;
    base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 10;
    if (base != 10) end = digits(2, base, number);
  }
  if (number.empty()) {
    base = 10;
    end = digits(0, 10, number);
  }
  bool is_float = false;
  if (base == 10 && !after_dot) {
    std::string fraction, exponent;
    const size_t fraction_end = end < text.size() && text[end] == '.' ? digits(end + 1, 10, fraction) : end;
    if (!fraction.empty()) number += "." + fraction, end = fraction_end, is_float = true;
    if (end < text.size() && (text[end] | 0x20) == 'e') {
      const bool sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
      const size_t exponent_end = digits(end + 1 + sign, 10, exponent);
      if (!exponent.empty()) {
        number += "e" + (sign ? std::string(1, text[end + 1]) : "") + exponent;
        end = exponent_end;
        is_float = true;
      }
    }
  }
  NumberLiteral literal{end};
  literal.is_float = is_float;
  if (is_float) {
    literal.floating = std::strtod(number.c_str(), nullptr);
  } else {
    errno = 0;
    literal.integer = std::strtoll(number.c_str(), nullptr, base);
    if (errno == ERANGE) refuse_template(line, "an integer is larger than 64 bits");
  }
  return literal;
}

}  // namespace mindspeed::jinja
