#include <algorithm>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/evaluator.h"
#include "front/tokenizer/jinja/loop.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

struct MacroObject : Object {
  MacroObject(Evaluator& evaluator, std::shared_ptr<const MacroCode> code, std::shared_ptr<Scope> scope)
      : evaluator(evaluator), code(std::move(code)), scope(std::move(scope)) {}
  Evaluator& evaluator;
  std::shared_ptr<const MacroCode> code;
  std::shared_ptr<Scope> scope;
  std::string type_name() const override { return "Macro"; }
  bool callable() const override { return true; }
  Value call(const Arguments& arguments) override { return evaluator.call_macro(*code, scope, arguments); }
  std::optional<Value> attribute(std::string_view name) override {
    return name == "name" ? std::optional(Value(Text(code->name))) : std::nullopt;
  }
};

}  // namespace

const Value* Scope::find(std::string_view name) const {
  for (const Scope* scope = this; scope; scope = scope->parent.get())
    for (const auto& [key, value] : scope->variables)
      if (key == name) return &value;
  return nullptr;
}

void Scope::set(std::string_view name, Value value) {
  for (auto& entry : variables)
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  variables.emplace_back(std::string(name), std::move(value));
}

Evaluator::Evaluator(std::vector<std::pair<std::string, Value>> globals) {
  auto outermost = std::make_shared<Scope>();
  outermost->variables = std::move(globals);
  scope_ = std::make_shared<Scope>(Scope{std::move(outermost), {}});
}

Evaluator::~Evaluator() {
  for (const auto& scope : macro_scopes_) scope->variables.clear();
}

Text Evaluator::render(const Body& body) {
  Text out;
  run(body, out);
  return out;
}

Evaluator::Flow Evaluator::run(const Body& body, Text& out) {
  const Nested nested(depth_);
  for (const Statement& statement : body) {
    line_ = statement.line;
    const Flow flow = std::visit([&](const auto& node) { return run(node, out); }, statement.node);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const Data& node, Text& out) {
  out.append(node.text);
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const Output& node, Text& out) {
  out.append(to_text(evaluate(*node.value)));
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const If& node, Text& out) {
  for (const auto& [test, body] : node.branches)
    if (truthy(evaluate(*test))) return run(body, out);
  return run(node.otherwise, out);
}

Evaluator::Flow Evaluator::run(const For& node, Text& out) {
  std::vector<Value> items = iterate(evaluate(*node.iterable));
  if (node.filter) {
    std::erase_if(items, [&](const Value& item) {
      const ScopeGuard guard(*this, scope_);
      assign(node.target, item);
      return !truthy(evaluate(*node.filter));
    });
  }
  if (items.empty()) {
    const ScopeGuard guard(*this, scope_);
    return run(node.otherwise, out);
  }
  const auto loop = std::make_shared<Loop>(std::move(items));
  for (; loop->index0 < loop->items.size(); ++loop->index0) {
    const ScopeGuard guard(*this, scope_);
    assign(node.target, loop->items[loop->index0]);
    scope_->set("loop", std::static_pointer_cast<Object>(loop));
    if (run(node.body, out) == Flow::stop_loop) break;
  }
  return Flow::next;
}

void Evaluator::assign(const Target& target, const Value& value) {
  if (target.is_tuple) {
    const std::vector<Value> parts = iterate(value);
    if (parts.size() != target.parts.size())
      raise("{} values can't be unpacked into {} names", parts.size(), target.parts.size());
    for (size_t i = 0; i < parts.size(); ++i) assign(target.parts[i], parts[i]);
    return;
  }
  if (target.attribute.empty()) return scope_->set(target.name, value);
  const Value* owner = scope_->find(target.name);
  auto* space = owner && owner->is(Kind::object) ? dynamic_cast<Namespace*>(&owner->object()) : nullptr;
  if (!space)
    raise("cannot assign attribute '{}' on the non-namespace object '{}'", target.attribute, target.name);
  space->set(target.attribute, value);
}

Evaluator::Flow Evaluator::run(const Set& node, Text&) {
  assign(node.target, evaluate(*node.value));
  return Flow::next;
}

Text Evaluator::run_in_scope(const Body& body) {
  const ScopeGuard guard(*this, scope_);
  Text out;
  run(body, out);
  return out;
}

Evaluator::Flow Evaluator::run(const SetBlock& node, Text&) {
  assign(node.target, filter_block(node.filter, run_in_scope(node.body)));
  return Flow::next;
}

Value Evaluator::make_macro(const std::shared_ptr<const MacroCode>& code) {
  if (macro_scopes_.empty() || macro_scopes_.back() != scope_) macro_scopes_.push_back(scope_);
  return std::static_pointer_cast<Object>(std::make_shared<MacroObject>(*this, code, scope_));
}

Evaluator::Flow Evaluator::run(const Macro& node, Text&) {
  scope_->set(node.code->name, make_macro(node.code));
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const CallBlock& node, Text& out) {
  const ScopeGuard guard(*this, scope_);
  const Value caller = make_macro(node.caller);
  out.append(to_text(evaluate_call(std::get<Call>(node.call->node), &caller)));
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const FilterBlock& node, Text& out) {
  out.append(to_text(filter_block(node.filter, run_in_scope(node.body))));
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const With& node, Text& out) {
  std::vector<Value> values;  // all are evaluated outside the new scope
  for (const auto& [target, value] : node.values) values.push_back(evaluate(*value));
  const ScopeGuard guard(*this, scope_);
  for (size_t i = 0; i < values.size(); ++i) assign(node.values[i].first, values[i]);
  return run(node.body, out);
}

Evaluator::Flow Evaluator::run(const Generation& node, Text& out) {
  out.append(run_in_scope(node.body).with_marks(kGenerated));
  return Flow::next;
}

Text Evaluator::call_macro(const MacroCode& code, const std::shared_ptr<Scope>& scope,
                           const Arguments& arguments) {
  const Nested nested(depth_, Nested::kMacro);
  const size_t given = arguments.positional.size(), wanted = code.parameters.size();
  if (given > wanted && !code.uses_varargs)
    raise("macro '{}' takes not more than {} argument(s)", code.name, wanted);
  const ScopeGuard guard(*this, scope);
  auto keyword = arguments.keyword;
  const auto take = [&](std::string_view name) -> std::optional<Value> {
    const auto found =
        std::find_if(keyword.begin(), keyword.end(), [&](const auto& e) { return e.first == name; });
    if (found == keyword.end()) return {};
    Value value = found->second;
    keyword.erase(found);
    return value;
  };
  std::vector<std::optional<Value>> bound;
  for (size_t i = 0; i < wanted; ++i)
    bound.push_back(i < given ? std::optional(arguments.positional[i]) : take(code.parameters[i].first));
  for (size_t i = 0; i < wanted; ++i) {
    const auto& [name, fallback] = code.parameters[i];
    if (!bound[i])
      bound[i] = fallback ? evaluate(*fallback)
                          : Value::undefined(fmt::format("parameter '{}' was not provided", name));
    scope_->set(name, *bound[i]);
  }
  const bool names_caller = std::any_of(code.parameters.begin(), code.parameters.end(),
                                        [](const auto& parameter) { return parameter.first == "caller"; });
  if (code.uses_caller && !names_caller)
    scope_->set("caller", take("caller").value_or(Value::undefined("No caller defined")));
  if (code.uses_kwargs) {
    auto rest = std::make_shared<Dict>();
    for (auto& [name, value] : keyword) rest->set(Text(name), value);
    scope_->set("kwargs", std::shared_ptr<const Dict>(std::move(rest)));
  } else if (!keyword.empty()) {
    raise("macro '{}' takes no keyword argument '{}'", code.name, keyword[0].first);
  }
  if (code.uses_varargs)
    scope_->set("varargs", Value::tuple({arguments.positional.begin() + std::min(given, wanted),
                                         arguments.positional.end()}));
  Text out;
  run(code.body, out);
  return out;
}

}  // namespace mindspeed::jinja
