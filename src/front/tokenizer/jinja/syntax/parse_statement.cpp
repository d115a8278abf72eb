#include <algorithm>

#include "front/tokenizer/jinja/syntax/parser.h"
#include "front/tokenizer/jinja/syntax/token_stream.h"

namespace mindspeed::jinja {
namespace {

using Type = Token::Type;
constexpr int kDeepestBlocks = 100;

class StatementParser {
 public:
  explicit StatementParser(std::vector<Token> tokens) : tokens_(std::move(tokens)), expressions_(tokens_) {}

  Body parse() {
    Body body = parse_body({});
    if (tokens_.current().type != Type::end) tokens_.refuse_current("the end of the template");
    return body;
  }

 private:
  // Reads up to a block whose first word is in `ends`; that word is the current token afterwards.
  Body parse_body(const std::vector<std::string_view>& ends) {
    if (++depth_ > kDeepestBlocks) refuse_template(tokens_.line(), "blocks are nested too deeply");
    Body body;
    while (tokens_.current().type != Type::end) {
      const Token& token = tokens_.next();
      expressions_.begin_tag();
      if (token.type == Type::data) {
        body.push_back({token.line, Data{Text(token.text)}});
      } else if (token.type == Type::variable_begin) {
        body.push_back({token.line, Output{expressions_.parse_tuple(true)}});
        tokens_.expect(Type::variable_end, "'}}'");
      } else {
        const std::string& word = tokens_.current().text;
        if (tokens_.current().type == Type::name && std::find(ends.begin(), ends.end(), word) != ends.end()) {
          --depth_;
          return body;
        }
        parse_statement(body, token.line);
        tokens_.expect(Type::block_end, "'%}'");
      }
    }
    if (!ends.empty()) tokens_.refuse_current(fmt::format("a block {{% {} %}}", ends.back()));
    --depth_;
    return body;
  }

  // `%}`, the body, and the closing word.
  Body parse_block(std::string_view end) {
    tokens_.expect(Type::block_end, "'%}'");
    Body body = parse_body({end});
    tokens_.next();
    return body;
  }

  void parse_statement(Body& body, int line) {
    if (tokens_.current().type != Type::name) tokens_.refuse_current("a statement");
    const std::string word = tokens_.next().text;
    if (word == "if") return body.push_back({line, parse_if()});
    if (word == "for") return body.push_back({line, parse_for()});
    if (word == "set") return parse_set(body, line);
    if (word == "macro") return body.push_back({line, parse_macro()});
    if (word == "call") return body.push_back({line, parse_call_block()});
    if (word == "filter") return body.push_back({line, parse_filter_block()});
    if (word == "with") return body.push_back({line, parse_with()});
    if (word == "generation") return body.push_back({line, Generation{parse_block("endgeneration")}});
    if (word == "print") return parse_print(body, line);
    if (word == "break" || word == "continue") {
      if (loops_ == 0) refuse_template(line, fmt::format("{{% {} %}} stands outside a loop", word));
      if (word == "break") return body.push_back({line, Break{}});
      return body.push_back({line, Continue{}});
    }
    refuse_template(line, fmt::format("the statement {{% {} %}} is not supported", word));
  }

  If parse_if() {
    If node;
    ++expressions_.soft;
    for (bool more = true; more;) {
      ExpressionPtr test = expressions_.parse_tuple(false);
      tokens_.expect(Type::block_end, "'%}'");
      Body body = parse_body({"elif", "else", "endif"});
      node.branches.emplace_back(std::move(test), std::move(body));
      const std::string word = tokens_.next().text;
      more = word == "elif";
      if (word == "else") node.otherwise = parse_block("endif");
    }
    --expressions_.soft;
    return node;
  }

  For parse_for() {
    For node;
    node.target = parse_target(false, "in");
    tokens_.expect_name("in");
    node.iterable = expressions_.parse_tuple(false, "recursive");
    if (tokens_.skip_name("if")) node.filter = expressions_.parse_expression();
    if (tokens_.current().is_name("recursive"))
      refuse_template(tokens_.line(), "a recursive loop ({% for ... recursive %}) is not supported");
    const int soft = std::exchange(expressions_.soft, 0);
    tokens_.expect(Type::block_end, "'%}'");
    ++loops_;
    node.body = parse_body({"else", "endfor"});
    --loops_;
    if (tokens_.next().text == "else") node.otherwise = parse_block("endfor");
    expressions_.soft = soft;
    return node;
  }

  void parse_set(Body& body, int line) {
    Target target = parse_target(true, {});
    if (tokens_.skip_op("=")) {
      body.push_back({line, Set{std::move(target), expressions_.parse_tuple(true)}});
      return;
    }
    ExpressionPtr filter = expressions_.parse_filters(nullptr);
    body.push_back({line, SetBlock{std::move(target), std::move(filter), parse_block("endset")}});
  }

  void parse_print(Body& body, int line) {
    do body.push_back({line, Output{expressions_.parse_expression()}});
    while (tokens_.skip_op(","));
  }

  Target parse_target(bool with_namespace, std::string_view end_name) {
    Target tuple;
    tuple.is_tuple = false;
    while (true) {
      tuple.parts.push_back(parse_single_target(with_namespace));
      if (!tokens_.skip_op(",")) break;
      tuple.is_tuple = true;
      const Token& token = tokens_.current();
      if (token.is_op("=") || token.type == Type::block_end || (!end_name.empty() && token.is_name(end_name)))
        break;
    }
    if (!tuple.is_tuple) return std::move(tuple.parts[0]);
    return tuple;
  }

  Target parse_single_target(bool with_namespace) {
    Target target;
    if (tokens_.skip_op("(")) {
      target = parse_target(with_namespace, {});
      tokens_.expect_op(")");
      return target;
    }
    const int line = tokens_.line();
    target.name = tokens_.expect_any_name();
    static constexpr std::string_view kReserved[] = {"true", "false", "none", "True", "False", "None"};
    if (std::find(std::begin(kReserved), std::end(kReserved), target.name) != std::end(kReserved))
      refuse_template(line, fmt::format("'{}' can't be assigned to", target.name));
    if (with_namespace && tokens_.skip_op(".")) target.attribute = tokens_.expect_any_name();
    return target;
  }

  void parse_signature(MacroCode& code) {
    tokens_.expect_op("(");
    while (!tokens_.current().is_op(")")) {
      const int line = tokens_.line();
      std::string name = parse_single_target(false).name;
      ExpressionPtr value = tokens_.skip_op("=") ? expressions_.parse_expression() : nullptr;
      if (!value && !code.parameters.empty() && code.parameters.back().second)
        refuse_template(line,
                        fmt::format("parameter '{}' needs a default, as the one before it has one", name));
      code.parameters.emplace_back(std::move(name), std::move(value));
      if (!tokens_.skip_op(",")) break;
    }
    tokens_.expect_op(")");
  }

  void parse_macro_body(MacroCode& code, std::string_view end) {
    const int soft = std::exchange(expressions_.soft, 0);
    const int loops = std::exchange(loops_, 0);
    expressions_.open_macros.push_back(&code);
    code.body = parse_block(end);
    expressions_.open_macros.pop_back();
    expressions_.soft = soft;
    loops_ = loops;
  }

  Macro parse_macro() {
    auto code = std::make_shared<MacroCode>();
    code->name = parse_single_target(false).name;
    parse_signature(*code);
    parse_macro_body(*code, "endmacro");
    return {std::move(code)};
  }

  CallBlock parse_call_block() {
    auto caller = std::make_shared<MacroCode>();
    caller->name = "caller";
    if (tokens_.current().is_op("(")) parse_signature(*caller);
    const int line = tokens_.line();
    ExpressionPtr call = expressions_.parse_expression();
    if (!std::holds_alternative<Call>(call->node))
      refuse_template(line, "{% call %} needs a call of a macro");
    parse_macro_body(*caller, "endcall");
    return {std::move(call), std::move(caller)};
  }

  FilterBlock parse_filter_block() {
    FilterBlock node{expressions_.parse_filters(expressions_.parse_filter(nullptr)), {}};
    node.body = parse_block("endfilter");
    return node;
  }

  With parse_with() {
    With node;
    while (tokens_.current().type != Type::block_end) {
      Target target = parse_single_target(false);
      tokens_.expect_op("=");
      node.values.emplace_back(std::move(target), expressions_.parse_expression());
      if (!tokens_.skip_op(",")) break;
    }
    node.body = parse_block("endwith");
    return node;
  }

  TokenStream tokens_;
  ExpressionParser expressions_;
  int depth_ = 0;
  int loops_ = 0;
};

}  // namespace

Body parse_template(std::string_view source) { return StatementParser(tokenize(source)).parse(); }

}  // namespace mindspeed::jinja
