#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/evaluator.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {

Value Evaluator::evaluate(const Expression& expression) {
  const Nested nested(depth_);
  line_ = expression.line;
  Value value = std::visit([this](const auto& node) { return evaluate(node); }, expression.node);
  line_ = expression.line;
  return value;
}

Value Evaluator::evaluate(const Name& node) {
  const Value* found = scope_->find(node.name);
  return found ? *found : Value::undefined(fmt::format("'{}' is undefined", node.name));
}

Value Evaluator::evaluate(const ListLiteral& node) {
  std::vector<Value> items;
  for (const ExpressionPtr& item : node.items) items.push_back(evaluate(*item));
  return node.is_tuple ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

Value Evaluator::evaluate(const DictLiteral& node) {
  auto dict = std::make_shared<Dict>();
  for (const auto& [key, value] : node.items) {
    Value evaluated_key = evaluate(*key);
    dict->set(std::move(evaluated_key), evaluate(*value));
  }
  return std::shared_ptr<const Dict>(std::move(dict));
}

Value Evaluator::evaluate(const Unary& node) {
  const Value operand = evaluate(*node.operand);
  if (node.op == Unary::Op::logical_not) return !truthy(operand);
  if (node.op == Unary::Op::minus) return negate(operand);
  if (!operand.is_number()) raise("bad operand type for unary +: '{}'", type_name(operand));
  return operand.is_integral() ? Value(operand.integer()) : operand;
}

Value Evaluator::evaluate(const Logical& node) {
  Value left = evaluate(*node.left);
  return truthy(left) == node.is_and ? evaluate(*node.right) : left;
}

Value Evaluator::evaluate(const Binary& node) {
  const Value left = evaluate(*node.left);
  return arithmetic(node.op, left, evaluate(*node.right));
}

Value Evaluator::evaluate(const Concat& node) {
  Text text;
  for (const ExpressionPtr& part : node.parts) text.append(to_text(evaluate(*part)));
  return text;
}

Value Evaluator::evaluate(const Compare& node) {
  Value left = evaluate(*node.first);
  bool holds = true;
  for (const auto& [op, expression] : node.rest) {
    Value right = evaluate(*expression);
    switch (op) {
      case Compare::Op::eq:
        holds = equal(left, right);
        break;
      case Compare::Op::ne:
        holds = !equal(left, right);
        break;
      case Compare::Op::lt:
        holds = less(left, right);
        break;
      case Compare::Op::le:
        holds = less(left, right) || equal(left, right);
        break;
      case Compare::Op::gt:
        holds = less(right, left);
        break;
      case Compare::Op::ge:
        holds = less(right, left) || equal(left, right);
        break;
      case Compare::Op::in:
        holds = contains(right, left);
        break;
      case Compare::Op::not_in:
        holds = !contains(right, left);
        break;
    }
    if (!holds) return false;
    left = std::move(right);
  }
  return holds;
}

Value Evaluator::evaluate(const Conditional& node) {
  if (truthy(evaluate(*node.test))) return evaluate(*node.then);
  if (node.otherwise) return evaluate(*node.otherwise);
  return Value::undefined("the inline if-expression evaluated to false and no else section was defined");
}

Value Evaluator::evaluate(const Attribute& node) { return get_attribute(evaluate(*node.object), node.name); }

Value Evaluator::evaluate(const Item& node) {
  const Value object = evaluate(*node.object);
  return get_item(object, evaluate(*node.index));
}

Value Evaluator::evaluate(const Slice& node) {
  const Value object = evaluate(*node.object);
  const auto bound = [this](const ExpressionPtr& expression) {
    return expression ? evaluate(*expression) : Value(None{});
  };
  const Value start = bound(node.start), stop = bound(node.stop);
  return get_slice(object, start, stop, bound(node.step));
}

Arguments Evaluator::evaluate_arguments(const CallArguments& arguments) {
  Arguments result;
  for (const ExpressionPtr& argument : arguments.positional) result.positional.push_back(evaluate(*argument));
  if (arguments.star)
    for (Value& item : iterate(evaluate(*arguments.star))) result.positional.push_back(std::move(item));
  const auto add = [&](std::string name, Value value) {
    for (const auto& entry : result.keyword)
      if (entry.first == name) raise("got multiple values for keyword argument '{}'", name);
    result.keyword.emplace_back(std::move(name), std::move(value));
  };
  for (const auto& [name, argument] : arguments.keyword) add(name, evaluate(*argument));
  if (arguments.double_star) {
    const Value mapping = evaluate(*arguments.double_star);
    if (!mapping.is(Kind::dict)) raise("argument after ** must be a mapping, not {}", type_name(mapping));
    for (const auto& [key, value] : mapping.dict().entries()) {
      if (!key.is(Kind::text)) raise("keywords must be strings");
      add(key.text().bytes(), value);
    }
  }
  return result;
}

Value Evaluator::evaluate_call(const Call& node, const Value* caller) {
  const Value callee = evaluate(*node.callee);
  Arguments arguments = evaluate_arguments(node.arguments);
  if (caller) arguments.keyword.emplace_back("caller", *caller);
  return call(callee, arguments);
}

Value Evaluator::evaluate(const Call& node) { return evaluate_call(node, nullptr); }

Value Evaluator::evaluate(const FilterCall& node) {
  const Value input = node.input ? evaluate(*node.input) : *block_text_;
  const Filter filter = find_filter(node.name);
  if (!filter) raise("no filter named '{}'", node.name);
  return filter(input, evaluate_arguments(node.arguments));
}

Value Evaluator::evaluate(const TestCall& node) {
  const Value input = evaluate(*node.input);
  const Test test = find_test(node.name);
  if (!test) raise("no test named '{}'", node.name);
  return test(input, evaluate_arguments(node.arguments));
}

Value Evaluator::filter_block(const ExpressionPtr& chain, Text text) {
  const Value input = std::move(text);
  if (!chain) return input;
  const Value* saved = std::exchange(block_text_, &input);
  Value result = evaluate(*chain);
  block_text_ = saved;
  return result;
}

}  // namespace mindspeed::jinja
