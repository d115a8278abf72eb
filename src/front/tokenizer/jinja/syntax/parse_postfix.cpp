// What follows an operand: attributes, subscripts, calls, filters, tests.
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/syntax/token_stream.h"

namespace mindspeed::jinja {

ExpressionPtr ExpressionParser::parse_postfix(ExpressionPtr node) {
  while (true) {
    if (tokens_.current().is_op("."))
      node = parse_dot(std::move(node));
    else if (tokens_.current().is_op("["))
      node = parse_subscript(std::move(node));
    else if (tokens_.current().is_op("("))
      node = parse_call(std::move(node));
    else
      return node;
  }
}

ExpressionPtr ExpressionParser::parse_filters_and_tests(ExpressionPtr node) {
  while (true) {
    if (tokens_.current().is_op("|"))
      node = parse_filters(std::move(node));
    else if (tokens_.current().is_name("is"))
      node = parse_test(std::move(node));
    else if (tokens_.current().is_op("("))
      node = parse_call(std::move(node));
    else
      return node;
  }
}

ExpressionPtr ExpressionParser::parse_dot(ExpressionPtr object) {
  const int line = tokens_.next().line;
  const Token& token = tokens_.next();
  if (token.type == Token::Type::name) return make(line, Attribute{std::move(object), token.text});
  if (token.type != Token::Type::integer) refuse_template(line, "'.' must be followed by a name or a number");
  ExpressionPtr index = make(line, Literal{token.integer});
  return make(line, Item{std::move(object), std::move(index)});
}

ExpressionPtr ExpressionParser::parse_subscript(ExpressionPtr object) {
  const int line = tokens_.next().line;
  const auto bound = [&]() -> ExpressionPtr {
    const bool absent =
        tokens_.current().is_op(":") || tokens_.current().is_op("]") || tokens_.current().is_op(",");
    return absent ? nullptr : parse_expression();
  };
  ExpressionPtr first = bound();
  if (tokens_.skip_op(":")) {
    Slice slice{std::move(object), std::move(first), bound(), nullptr};
    if (tokens_.skip_op(":")) slice.step = bound();
    if (tokens_.current().is_op(","))
      refuse_template(line, "a subscript with several slices is not supported");
    tokens_.expect_op("]");
    return make(line, std::move(slice));
  }
  ListLiteral tuple{{}, true};
  if (first) tuple.items.push_back(std::move(first));
  const bool single = !tokens_.current().is_op(",") && !tuple.items.empty();
  while (tokens_.skip_op(",")) tuple.items.push_back(parse_expression());
  tokens_.expect_op("]");
  ExpressionPtr index = single ? std::move(tuple.items[0]) : make(line, std::move(tuple));
  return make(line, Item{std::move(object), std::move(index)});
}

CallArguments ExpressionParser::parse_arguments() {
  const int line = tokens_.line();
  tokens_.expect_op("(");
  CallArguments arguments;
  const auto ensure = [&](bool ok) {
    if (!ok) refuse_template(line, "the arguments of a call stand in the wrong order");
  };
  while (!tokens_.current().is_op(")")) {
    if (tokens_.skip_op("*")) {
      ensure(!arguments.star && !arguments.double_star);
      arguments.star = parse_expression();
    } else if (tokens_.skip_op("**")) {
      ensure(!arguments.double_star);
      arguments.double_star = parse_expression();
    } else if (tokens_.current().type == Token::Type::name && tokens_.look().is_op("=")) {
      ensure(!arguments.double_star);
      std::string name = tokens_.next().text;
      tokens_.next();
      arguments.keyword.emplace_back(std::move(name), parse_expression());
    } else {
      ensure(!arguments.star && !arguments.double_star && arguments.keyword.empty());
      arguments.positional.push_back(parse_expression());
    }
    if (!tokens_.skip_op(",")) break;
  }
  tokens_.expect_op(")");
  return arguments;
}

ExpressionPtr ExpressionParser::parse_call(ExpressionPtr callee) {
  const int line = tokens_.line();
  if (const auto* attribute = std::get_if<Attribute>(&callee->node);
      attribute && is_missing_method(attribute->name))
    refuse_template(line, fmt::format("the method .{}() is not supported", attribute->name));
  return make(line, Call{std::move(callee), parse_arguments()});
}

ExpressionPtr ExpressionParser::parse_filters(ExpressionPtr input) {
  while (tokens_.skip_op("|")) input = parse_filter(std::move(input));
  return input;
}

ExpressionPtr ExpressionParser::parse_filter(ExpressionPtr input) {
  const int line = tokens_.line();
  std::string name = tokens_.expect_any_name();
  while (tokens_.skip_op(".")) name += "." + tokens_.expect_any_name();
  if (!find_filter(name) && (!soft || is_missing_filter(name)))
    refuse_template(line, fmt::format("the filter '{}' is not supported", name));
  CallArguments arguments;
  if (tokens_.current().is_op("(")) arguments = parse_arguments();
  return make(line, FilterCall{std::move(input), std::move(name), std::move(arguments)});
}

ExpressionPtr ExpressionParser::parse_test(ExpressionPtr input) {
  const int line = tokens_.next().line;
  const bool negated = tokens_.skip_name("not");
  std::string name = tokens_.expect_any_name();
  while (tokens_.skip_op(".")) name += "." + tokens_.expect_any_name();
  if (!find_test(name) && !soft) refuse_template(line, fmt::format("the test '{}' is not supported", name));
  CallArguments arguments;
  const Token& token = tokens_.current();
  const bool starts_argument = token.type == Token::Type::name || token.type == Token::Type::string ||
                               token.type == Token::Type::integer || token.type == Token::Type::floating ||
                               token.is_op("[") || token.is_op("{");
  if (token.is_op("(")) {
    arguments = parse_arguments();
  } else if (starts_argument && !token.is_name("else") && !token.is_name("or") && !token.is_name("and")) {
    if (token.is_name("is")) refuse_template(line, "tests can't be chained with 'is'");
    arguments.positional.push_back(parse_postfix(parse_primary()));
  }
  ExpressionPtr node = make(line, TestCall{std::move(input), std::move(name), std::move(arguments)});
  return negated ? make(line, Unary{Unary::Op::logical_not, std::move(node)}) : std::move(node);
}

}  // namespace mindspeed::jinja
