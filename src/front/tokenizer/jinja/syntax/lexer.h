// Template source -> tokens, with the white space rules of trim_blocks and lstrip_blocks applied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed::jinja {

struct Token {
  enum class Type {
    data,
    variable_begin,
    variable_end,
    block_begin,
    block_end,
    name,
    string,
    integer,
    floating,
    op,
    end
  };
  Type type;
  std::string text;  // data, name, operator, or the string with its escapes resolved
  int line;          // from 1
  int64_t integer = 0;
  double floating = 0;

  bool is_op(std::string_view op) const { return type == Type::op && text == op; }
  bool is_name(std::string_view name) const { return type == Type::name && text == name; }
};

// Ends with one `end` token. Throws Error (exit code 2) naming the line on an unclosed tag, an unknown
// character, unbalanced brackets, or invalid UTF-8. Source of the rules: Jinja 3.1 lexer.
std::vector<Token> tokenize(std::string_view source);

// "line 7: what" in the voice of errors about templates.
[[noreturn]] void refuse_template(int line, std::string_view what);

}  // namespace mindspeed::jinja
