#include "front/tokenizer/jinja/syntax/lexer.h"

#include <algorithm>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/tokenizer/jinja/syntax/literals.h"
#include "front/tokenizer/jinja/text/text.h"

namespace mindspeed::jinja {
namespace {

using Type = Token::Type;

constexpr char kBrace = '\x7b';  // written so that brace-counting tools are not misled

// \r\n and \r become \n; one newline at the end of the template is dropped, as Jinja does.
std::string normalize_newlines(std::string_view source) {
  std::string result;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      result += source[i];
      continue;
    }
    result += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(normalize_newlines(source)) {}

  std::vector<Token> run() {
    while (position_ < source_.size()) read_data();
    add(Type::end, "");
    return std::move(tokens_);
  }

 private:
  // Plain text up to the next tag, then the tag itself.
  void read_data() {
    size_t found = position_;
    while ((found = source_.find(kBrace, found)) != std::string::npos && !opens_tag(found)) ++found;
    if (found == std::string::npos) {
      add_data(source_.substr(position_));
      return advance(source_.size());
    }
    const char kind = source_[found + 1];
    const size_t after = found + 2;
    const char sign =
        after < source_.size() && (source_[after] == '-' || source_[after] == '+') ? source_[after] : 0;
    add_data(strip_before_tag(source_.substr(position_, found - position_), sign, kind == kBrace));
    advance(after + (sign ? 1 : 0));
    if (kind == '#') return skip_comment();
    if (kind == '%' && skip_raw()) return;
    add(kind == kBrace ? Type::variable_begin : Type::block_begin, "");
    read_expression(kind == kBrace);
  }

  bool opens_tag(size_t at) const {
    return at + 1 < source_.size() && std::string_view("{%#").find(source_[at + 1]) != std::string_view::npos;
  }

  // "-" strips all white space before a tag; else blocks and comments lose the white space between the start
  // of their line and the tag (lstrip_blocks), unless "+" says no.
  std::string strip_before_tag(std::string text, char sign, bool is_variable) const {
    if (sign == '-') return strip(Text(std::move(text)), Side::right).bytes();
    if (sign == '+' || is_variable) return text;
    const size_t newline = text.rfind('\n');
    const size_t line_begin = newline == std::string::npos ? 0 : newline + 1;
    if (line_begin == 0 && !line_starting_) return text;
    if (strip(Text(text.substr(line_begin)), Side::both).empty()) text.resize(line_begin);
    return text;
  }

  void skip_comment() {
    const int line = line_;
    const size_t end = source_.find("#}", position_);
    if (end == std::string::npos) refuse_template(line, "a comment {# is not closed; close it with #}");
    const bool sign = end > position_ && (source_[end - 1] == '-' || source_[end - 1] == '+');
    advance(end + 2);
    after_tag(sign ? source_[end - 1] : 0, true);
  }

  // {% raw %} ... {% endraw %}: true when the block at position_ (behind "{%") was one.
  bool skip_raw() {
    size_t at = skip_space(position_);
    if (source_.compare(at, 3, "raw") != 0) return false;
    at = skip_space(at + 3);
    const bool minus = source_.compare(at, 3, "-%}") == 0;
    if (!minus && source_.compare(at, 2, "%}") != 0) return false;
    const int line = line_;
    advance(at + (minus ? 3 : 2));
    after_tag(minus ? '-' : 0, false);
    for (size_t open = position_; (open = source_.find("{%", open)) != std::string::npos; open += 2) {
      const char sign = source_[open + 2] == '-' || source_[open + 2] == '+' ? source_[open + 2] : 0;
      size_t end = skip_space(open + 2 + (sign ? 1 : 0));
      if (source_.compare(end, 6, "endraw") != 0) continue;
      end = skip_space(end + 6);
      const char end_sign =
          end < source_.size() && (source_[end] == '-' || source_[end] == '+') ? source_[end] : 0;
      if (end_sign) ++end;
      if (source_.compare(end, 2, "%}") != 0) continue;
      add_data(strip_before_tag(source_.substr(position_, open - position_), sign, false));
      advance(end + 2);
      after_tag(end_sign, true);
      return true;
    }
    refuse_template(line, "a block {% raw %} is not closed; close it with {% endraw %}");
  }

  void read_expression(bool variable) {
    const std::string_view close = variable ? "}}" : "%}";
    const int line = line_;
    while (true) {
      advance(skip_space(position_));
      if (position_ >= source_.size())
        refuse_template(
            line, variable ? "{{ is not closed; close it with }}" : "{% is not closed; close it with %}");
      if (brackets_.empty()) {
        const char c = source_[position_];
        const bool sign = c == '-' || (c == '+' && !variable);
        if (source_.compare(position_ + sign, 2, close) == 0) {
          add(variable ? Type::variable_end : Type::block_end, "");
          advance(position_ + sign + 2);
          return after_tag(sign ? c : 0, !variable);
        }
      }
      read_token();
    }
  }

  void read_token() {
    const char c = source_[position_];
    if (c == '"' || c == '\'') return read_string(c);
    if (is_digit(c)) return read_number();
    if (starts_name(c)) {
      size_t end = position_;
      while (end < source_.size() && (starts_name(source_[end]) || is_digit(source_[end]))) ++end;
      add(Type::name, source_.substr(position_, end - position_));
      return advance(end);
    }
    static constexpr std::string_view kOperators[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/",
                                                      "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                      ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
    for (const std::string_view op : kOperators) {
      if (source_.compare(position_, op.size(), op) != 0) continue;
      balance(op[0]);
      add(Type::op, std::string(op));
      return advance(position_ + op.size());
    }
    refuse_template(line_, fmt::format("unexpected character '{}'", c));
  }

  void balance(char op) {
    if (op == '(') brackets_ += ')';
    if (op == '[') brackets_ += ']';
    if (op == '{') brackets_ += '}';
    if (op != ')' && op != ']' && op != '}') return;
    if (brackets_.empty()) refuse_template(line_, fmt::format("'{}' closes nothing", op));
    if (brackets_.back() != op)
      refuse_template(line_, fmt::format("'{}' came where '{}' was needed", op, brackets_.back()));
    brackets_.pop_back();
  }

  void read_string(char quote) {
    size_t end = position_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) refuse_template(line_, "a string is not closed");
    add(Type::string, unescape(std::string_view(source_).substr(position_ + 1, end - position_ - 1), line_));
    advance(end + 1);
  }

  void read_number() {
    const bool after_dot = position_ > 0 && source_[position_ - 1] == '.';
    const NumberLiteral number =
        read_number_literal(std::string_view(source_).substr(position_), after_dot, line_);
    add(number.is_float ? Type::floating : Type::integer, source_.substr(position_, number.size));
    tokens_.back().integer = number.integer;
    tokens_.back().floating = number.floating;
    advance(position_ + number.size);
  }

  // What follows a tag's end: "-" eats white space; a block or comment without sign eats one newline
  // (trim_blocks).
  void after_tag(char sign, bool trims) {
    const size_t tag_end = position_;
    if (sign == '-')
      advance(skip_space(position_));
    else if (sign != '+' && trims && position_ < source_.size() && source_[position_] == '\n')
      advance(position_ + 1);
    line_starting_ = position_ > tag_end && source_[position_ - 1] == '\n';
  }

  size_t skip_space(size_t at) const {
    while (at < source_.size()) {
      size_t next = at;
      if (!is_space(next_code_point(source_, next))) break;
      at = next;
    }
    return std::min(at, source_.size());
  }

  void add_data(std::string text) {
    if (!text.empty()) add(Type::data, std::move(text));
  }
  void add(Type type, std::string text) { tokens_.push_back({type, std::move(text), line_}); }
  void advance(size_t to) {
    line_ += static_cast<int>(std::count(source_.begin() + position_, source_.begin() + to, '\n'));
    position_ = to;
  }

  const std::string source_;
  std::vector<Token> tokens_;
  std::string brackets_;  // closing brackets that are still to come
  size_t position_ = 0;
  int line_ = 1;
  bool line_starting_ = true;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  const Utf8Check check = check_utf8(source);
  if (!check.valid)
    refuse("chat template", "byte {} of the template is not UTF-8; save the template as UTF-8", check.offset);
  return Lexer(source).run();
}

void refuse_template(int line, std::string_view what) { refuse("chat template", "line {}: {}", line, what); }

}  // namespace mindspeed::jinja
