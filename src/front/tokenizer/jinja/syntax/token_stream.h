// Shared by the two halves of the parser: the tokens and their consumption.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "front/tokenizer/jinja/syntax/ast.h"
#include "front/tokenizer/jinja/syntax/lexer.h"

namespace mindspeed::jinja {

class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  const Token& current() const { return tokens_[position_]; }
  const Token& look() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  const Token& next() {
    const Token& token = current();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
  }
  int line() const { return current().line; }
  bool skip_op(std::string_view op) { return skip(current().is_op(op)); }
  bool skip_name(std::string_view name) { return skip(current().is_name(name)); }
  void expect_op(std::string_view op);
  void expect_name(std::string_view name);
  std::string expect_any_name();
  void expect(Token::Type type, std::string_view shown);
  [[noreturn]] void refuse_current(std::string_view needed) const;

 private:
  bool skip(bool matches) {
    if (matches) next();
    return matches;
  }
  std::vector<Token> tokens_;
  size_t position_ = 0;
};

// Parses expressions with Jinja's precedences.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  ExpressionPtr parse_expression(bool with_conditional = true);
  // One expression, or several with commas as a tuple; ends before `end_name`, if given.
  ExpressionPtr parse_tuple(bool with_conditional, std::string_view end_name = {}, bool parentheses = false);
  // `| a | b(x)` over `input`, which may be null.
  ExpressionPtr parse_filters(ExpressionPtr input);
  ExpressionPtr parse_filter(ExpressionPtr input);

  // Bookkeeping for statements: macros whose body is being read, {% if %} around, and the size of this tag.
  std::vector<MacroCode*> open_macros;
  int soft = 0;
  void begin_tag() { nodes_ = 0; }

 private:
  ExpressionPtr parse_conditional();
  ExpressionPtr parse_or();
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_compare();
  ExpressionPtr parse_sum();
  ExpressionPtr parse_concat();
  ExpressionPtr parse_product();
  ExpressionPtr parse_power();
  ExpressionPtr parse_unary(bool with_filter = true);
  ExpressionPtr parse_primary();
  ExpressionPtr parse_name();
  ExpressionPtr parse_list();
  ExpressionPtr parse_dict();
  ExpressionPtr parse_postfix(ExpressionPtr node);
  ExpressionPtr parse_filters_and_tests(ExpressionPtr node);
  ExpressionPtr parse_dot(ExpressionPtr object);
  ExpressionPtr parse_subscript(ExpressionPtr object);
  ExpressionPtr parse_call(ExpressionPtr callee);
  ExpressionPtr parse_test(ExpressionPtr input);
  CallArguments parse_arguments();
  template <class Node>
  ExpressionPtr make(int line, Node node);
  static constexpr int kMostNodesPerTag = 5000;  // deep trees would overflow the stack

  TokenStream& tokens_;
  int depth_ = 0;
  int nodes_ = 0;
};

template <class Node>
ExpressionPtr ExpressionParser::make(int line, Node node) {
  if (++nodes_ > kMostNodesPerTag)
    refuse_template(line, fmt::format("a tag holds more than {} operations; split it", kMostNodesPerTag));
  return std::make_unique<Expression>(Expression{line, std::move(node)});
}

}  // namespace mindspeed::jinja
