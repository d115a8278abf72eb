// Strings and numbers as they are written in expressions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mindspeed::jinja {

// Resolves Python's escapes (\n, \x41, \u00e9, octal ...); an unknown escape keeps its backslash. `line` is
// for the error about a malformed \x or \u.
std::string unescape(std::string_view body, int line);

struct NumberLiteral {
  size_t size;  // bytes used
  bool is_float = false;
  int64_t integer = 0;
  double floating = 0;
};
// The number at the beginning of `text`, which begins with a digit: decimal with underscores, 0x, 0o, 0b,
// fraction, exponent. Behind a dot (`x.0`) only an integer is read. Refuses integers beyond 64 bits.
NumberLiteral read_number_literal(std::string_view text, bool after_dot, int line);

}  // namespace mindspeed::jinja
