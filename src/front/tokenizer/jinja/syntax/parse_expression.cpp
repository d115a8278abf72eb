#include <algorithm>

#include "front/tokenizer/jinja/syntax/token_stream.h"

namespace mindspeed::jinja {
namespace {

// A bound that keeps a hostile template from overflowing the stack.
constexpr int kDeepestNesting = 150;

}  // namespace

void TokenStream::refuse_current(std::string_view needed) const {
  const Token& token = current();
  std::string shown = token.text;
  if (token.type == Token::Type::variable_end) shown = "}}";
  if (token.type == Token::Type::block_end) shown = "%}";
  if (token.type == Token::Type::end) shown = "the end of the template";
  refuse_template(token.line, fmt::format("'{}' came where {} was needed", shown, needed));
}

void TokenStream::expect_op(std::string_view op) {
  if (!skip_op(op)) refuse_current(fmt::format("'{}'", op));
}
void TokenStream::expect_name(std::string_view name) {
  if (!skip_name(name)) refuse_current(fmt::format("'{}'", name));
}
std::string TokenStream::expect_any_name() {
  if (current().type != Token::Type::name) refuse_current("a name");
  return next().text;
}
void TokenStream::expect(Token::Type type, std::string_view shown) {
  if (current().type != type) refuse_current(shown);
  next();
}

ExpressionPtr ExpressionParser::parse_expression(bool with_conditional) {
  if (++depth_ > kDeepestNesting) refuse_template(tokens_.line(), "expressions are nested too deeply");
  ExpressionPtr node = with_conditional ? parse_conditional() : parse_or();
  --depth_;
  return node;
}

ExpressionPtr ExpressionParser::parse_tuple(bool with_conditional, std::string_view end_name,
                                            bool parentheses) {
  const int line = tokens_.line();
  const auto at_end = [&] {
    const Token& token = tokens_.current();
    return token.type == Token::Type::variable_end || token.type == Token::Type::block_end ||
           token.is_op(")") || (!end_name.empty() && token.is_name(end_name));
  };
  ListLiteral tuple{{}, true};
  bool is_tuple = false;
  while (!at_end()) {
    tuple.items.push_back(parse_expression(with_conditional));
    if (!tokens_.skip_op(",")) break;
    is_tuple = true;
  }
  if (is_tuple || (tuple.items.empty() && parentheses)) return make(line, std::move(tuple));
  if (tuple.items.empty()) tokens_.refuse_current("an expression");
  return std::move(tuple.items[0]);
}

ExpressionPtr ExpressionParser::parse_conditional() {
  const int line = tokens_.line();
  // Whether an "if" follows is known only later; so unknown filters in `then` are excused as Jinja excuses
  // them only in the parts read with `soft`, and the first part is read as part of the surrounding.
  ExpressionPtr node = parse_or();
  while (tokens_.skip_name("if")) {
    ++soft;
    Conditional conditional{parse_or(), std::move(node), nullptr};
    if (tokens_.skip_name("else")) conditional.otherwise = parse_expression();
    --soft;
    node = make(line, std::move(conditional));
  }
  return node;
}

ExpressionPtr ExpressionParser::parse_or() {
  const int line = tokens_.line();
  ExpressionPtr left = parse_and();
  while (tokens_.skip_name("or")) left = make(line, Logical{false, std::move(left), parse_and()});
  return left;
}

ExpressionPtr ExpressionParser::parse_and() {
  const int line = tokens_.line();
  ExpressionPtr left = parse_not();
  while (tokens_.skip_name("and")) left = make(line, Logical{true, std::move(left), parse_not()});
  return left;
}

ExpressionPtr ExpressionParser::parse_not() {
  const int line = tokens_.line();
  int count = 0;
  while (tokens_.skip_name("not")) ++count;
  ExpressionPtr node = parse_compare();
  for (; count > 0; --count) node = make(line, Unary{Unary::Op::logical_not, std::move(node)});
  return node;
}

ExpressionPtr ExpressionParser::parse_compare() {
  using Op = Compare::Op;
  static constexpr std::pair<std::string_view, Op> kOperators[] = {
      {"==", Op::eq}, {"!=", Op::ne}, {"<", Op::lt}, {"<=", Op::le}, {">", Op::gt}, {">=", Op::ge}};
  const int line = tokens_.line();
  Compare compare{parse_sum(), {}};
  while (true) {
    const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                     [&](const auto& op) { return tokens_.current().is_op(op.first); });
    Op op = Op::in;
    if (found != std::end(kOperators)) {
      op = found->second;
      tokens_.next();
    } else if (tokens_.current().is_name("not") && tokens_.look().is_name("in")) {
      op = Op::not_in;
      tokens_.next();
      tokens_.next();
    } else if (!tokens_.skip_name("in")) {
      break;
    }
    compare.rest.emplace_back(op, parse_sum());
  }
  return compare.rest.empty() ? std::move(compare.first) : make(line, std::move(compare));
}

ExpressionPtr ExpressionParser::parse_sum() {
  const int line = tokens_.line();
  ExpressionPtr left = parse_concat();
  while (tokens_.current().is_op("+") || tokens_.current().is_op("-")) {
    const Arithmetic op = tokens_.next().text == "+" ? Arithmetic::add : Arithmetic::subtract;
    left = make(line, Binary{op, std::move(left), parse_concat()});
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_concat() {
  const int line = tokens_.line();
  Concat concat;
  do concat.parts.push_back(parse_product());
  while (tokens_.skip_op("~"));
  return concat.parts.size() == 1 ? std::move(concat.parts[0]) : make(line, std::move(concat));
}

ExpressionPtr ExpressionParser::parse_product() {
  static constexpr std::pair<std::string_view, Arithmetic> kOperators[] = {{"*", Arithmetic::multiply},
                                                                           {"/", Arithmetic::divide},
                                                                           {"//", Arithmetic::floor_divide},
                                                                           {"%", Arithmetic::modulo}};
  const int line = tokens_.line();
  ExpressionPtr left = parse_power();
  while (true) {
    const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                     [&](const auto& op) { return tokens_.current().is_op(op.first); });
    if (found == std::end(kOperators)) return left;
    tokens_.next();
    left = make(line, Binary{found->second, std::move(left), parse_power()});
  }
}

ExpressionPtr ExpressionParser::parse_power() {  // left-associative in Jinja
  const int line = tokens_.line();
  ExpressionPtr left = parse_unary();
  while (tokens_.skip_op("**")) left = make(line, Binary{Arithmetic::power, std::move(left), parse_unary()});
  return left;
}

ExpressionPtr ExpressionParser::parse_unary(bool with_filter) {
  if (++depth_ > kDeepestNesting) refuse_template(tokens_.line(), "expressions are nested too deeply");
  const int line = tokens_.line();
  ExpressionPtr node;
  if (tokens_.skip_op("-"))
    node = make(line, Unary{Unary::Op::minus, parse_unary(false)});
  else if (tokens_.skip_op("+"))
    node = make(line, Unary{Unary::Op::plus, parse_unary(false)});
  else
    node = parse_primary();
  node = parse_postfix(std::move(node));
  if (with_filter) node = parse_filters_and_tests(std::move(node));
  --depth_;
  return node;
}

ExpressionPtr ExpressionParser::parse_name() {
  const Token& token = tokens_.next();
  const std::string& name = token.text;
  if (name == "true" || name == "True") return make(token.line, Literal{true});
  if (name == "false" || name == "False") return make(token.line, Literal{false});
  if (name == "none" || name == "None") return make(token.line, Literal{None{}});
  if (name == "lipsum") refuse_template(token.line, "the function lipsum() is not supported");
  for (MacroCode* macro : open_macros) {
    macro->uses_caller |= name == "caller";
    macro->uses_varargs |= name == "varargs";
    macro->uses_kwargs |= name == "kwargs";
  }
  return make(token.line, Name{name});
}

ExpressionPtr ExpressionParser::parse_primary() {
  const Token& token = tokens_.current();
  switch (token.type) {
    case Token::Type::name:
      return parse_name();
    case Token::Type::integer:
      return make(tokens_.next().line, Literal{token.integer});
    case Token::Type::floating:
      return make(tokens_.next().line, Literal{token.floating});
    case Token::Type::string: {
      std::string joined;
      while (tokens_.current().type == Token::Type::string) joined += tokens_.next().text;
      return make(token.line, Literal{Text(std::move(joined))});
    }
    default:
      break;
  }
  if (tokens_.skip_op("(")) {
    ExpressionPtr node = parse_tuple(true, {}, true);
    tokens_.expect_op(")");
    return node;
  }
  if (token.is_op("[")) return parse_list();
  if (token.is_op("{")) return parse_dict();
  tokens_.refuse_current("an expression");
}

ExpressionPtr ExpressionParser::parse_list() {
  const int line = tokens_.next().line;
  ListLiteral list{{}, false};
  while (!tokens_.current().is_op("]")) {
    list.items.push_back(parse_expression());
    if (!tokens_.skip_op(",")) break;
  }
  tokens_.expect_op("]");
  return make(line, std::move(list));
}

ExpressionPtr ExpressionParser::parse_dict() {
  const int line = tokens_.next().line;
  DictLiteral dict;
  while (!tokens_.current().is_op("}")) {
    ExpressionPtr key = parse_expression();
    tokens_.expect_op(":");
    dict.items.emplace_back(std::move(key), parse_expression());
    if (!tokens_.skip_op(",")) break;
  }
  tokens_.expect_op("}");
  return make(line, std::move(dict));
}

}  // namespace mindspeed::jinja
