// What a template means: expressions and statements, as the parser builds them and the evaluator walks them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;
struct Statement;
using Body = std::vector<Statement>;

struct Literal {
  Value value;
};
struct Name {
  std::string name;
};
struct ListLiteral {
  std::vector<ExpressionPtr> items;
  bool is_tuple;
};
struct DictLiteral {
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> items;
};
struct Unary {
  enum class Op { logical_not, minus, plus } op;
  ExpressionPtr operand;
};
struct Logical {
  bool is_and;
  ExpressionPtr left, right;
};
struct Binary {
  Arithmetic op;
  ExpressionPtr left, right;
};
struct Concat {
  std::vector<ExpressionPtr> parts;
};
struct Compare {
  enum class Op { eq, ne, lt, le, gt, ge, in, not_in };
  ExpressionPtr first;
  std::vector<std::pair<Op, ExpressionPtr>> rest;
};
struct Conditional {
  ExpressionPtr test, then, otherwise;  // otherwise may be null: undefined
};
struct Attribute {
  ExpressionPtr object;
  std::string name;
};
struct Item {
  ExpressionPtr object, index;
};
struct Slice {
  ExpressionPtr object, start, stop, step;  // bounds may be null
};
struct CallArguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> keyword;
  ExpressionPtr star, double_star;  // *list and **dict, may be null
};
struct Call {
  ExpressionPtr callee;
  CallArguments arguments;
};
struct FilterCall {
  ExpressionPtr input;  // null in {% filter %} and block set: the text of the block
  std::string name;
  CallArguments arguments;
};
struct TestCall {
  ExpressionPtr input;
  std::string name;
  CallArguments arguments;
};
struct Expression {
  int line;
  std::variant<Literal, Name, ListLiteral, DictLiteral, Unary, Logical, Binary, Concat, Compare, Conditional,
               Attribute, Item, Slice, Call, FilterCall, TestCall>
      node;
};

// Where an assignment goes: a name, `namespace.attribute`, or a tuple of targets.
struct Target {
  std::string name;
  std::string attribute;
  std::vector<Target> parts;
  bool is_tuple = false;
};

struct Data {
  Text text;
};
struct Output {
  ExpressionPtr value;
};
struct If {
  std::vector<std::pair<ExpressionPtr, Body>> branches;
  Body otherwise;
};
struct For {
  Target target;
  ExpressionPtr iterable, filter;  // filter may be null
  Body body, otherwise;
};
struct Set {
  Target target;
  ExpressionPtr value;
};
struct SetBlock {
  Target target;
  ExpressionPtr filter;  // chain over the block's text, may be null
  Body body;
};
// Parameters and body of a macro, or of the block of a call.
struct MacroCode {
  std::string name;
  std::vector<std::pair<std::string, ExpressionPtr>> parameters;  // the default may be null
  Body body;
  bool uses_caller = false, uses_varargs = false, uses_kwargs = false;
};
struct Macro {
  std::shared_ptr<const MacroCode> code;
};
struct CallBlock {
  ExpressionPtr call;
  std::shared_ptr<const MacroCode> caller;
};
struct FilterBlock {
  ExpressionPtr filter;
  Body body;
};
struct With {
  std::vector<std::pair<Target, ExpressionPtr>> values;
  Body body;
};
struct Generation {
  Body body;
};
struct Break {};
struct Continue {};
struct Statement {
  int line;
  std::variant<Data, Output, If, For, Set, SetBlock, Macro, CallBlock, FilterBlock, With, Generation, Break,
               Continue>
      node;
};

}  // namespace mindspeed::jinja
