// Walks a parsed template. One evaluator per rendering.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "front/tokenizer/jinja/syntax/ast.h"

namespace mindspeed::jinja {

// Variables of a template, a loop's turn, a macro's call or a block; names not found are looked up in the
// parent.
struct Scope {
  std::shared_ptr<Scope> parent;
  std::vector<std::pair<std::string, Value>> variables;
  const Value* find(std::string_view name) const;
  void set(std::string_view name, Value value);
};

class Evaluator {
 public:
  explicit Evaluator(std::vector<std::pair<std::string, Value>> globals);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void set(std::string_view name, Value value) { scope_->set(name, std::move(value)); }
  Text render(const Body& body);
  // Where the evaluation is; after a RenderError, where it was raised.
  int line() const { return line_; }

  Text call_macro(const MacroCode& code, const std::shared_ptr<Scope>& scope, const Arguments& arguments);

 private:
  enum class Flow { next, stop_loop, next_turn };
  class Nested;      // counts the depth of recursion
  class ScopeGuard;  // a scope for the life of the guard

  Value evaluate(const Expression& expression);
  Value evaluate(const Literal& node) { return node.value; }
  Value evaluate(const Name& node);
  Value evaluate(const ListLiteral& node);
  Value evaluate(const DictLiteral& node);
  Value evaluate(const Unary& node);
  Value evaluate(const Logical& node);
  Value evaluate(const Binary& node);
  Value evaluate(const Concat& node);
  Value evaluate(const Compare& node);
  Value evaluate(const Conditional& node);
  Value evaluate(const Attribute& node);
  Value evaluate(const Item& node);
  Value evaluate(const Slice& node);
  Value evaluate(const Call& node);
  Value evaluate(const FilterCall& node);
  Value evaluate(const TestCall& node);
  Arguments evaluate_arguments(const CallArguments& arguments);
  Value evaluate_call(const Call& node, const Value* caller);
  // Applies a filter chain without input to the text of a block.
  Value filter_block(const ExpressionPtr& chain, Text text);

  Flow run(const Body& body, Text& out);
  Flow run(const Data& node, Text& out);
  Flow run(const Output& node, Text& out);
  Flow run(const If& node, Text& out);
  Flow run(const For& node, Text& out);
  Flow run(const Set& node, Text& out);
  Flow run(const SetBlock& node, Text& out);
  Flow run(const Macro& node, Text& out);
  Flow run(const CallBlock& node, Text& out);
  Flow run(const FilterBlock& node, Text& out);
  Flow run(const With& node, Text& out);
  Flow run(const Generation& node, Text& out);
  Flow run(const Break&, Text&) { return Flow::stop_loop; }
  Flow run(const Continue&, Text&) { return Flow::next_turn; }
  Text run_in_scope(const Body& body);
  void assign(const Target& target, const Value& value);
  Value make_macro(const std::shared_ptr<const MacroCode>& code);

  std::shared_ptr<Scope> scope_;
  std::vector<std::shared_ptr<Scope>> macro_scopes_;  // macros and the scopes that name them own each other
  const Value* block_text_ = nullptr;
  int line_ = 1;
  int depth_ = 0;
};

// Counts recursion in units of a plain operation; raises before the stack ends (8 MB, with sanitizers too).
class Evaluator::Nested {
 public:
  static constexpr int kMacro = 8;  // about 250 calls within each other, as in Python
  explicit Nested(int& depth, int units = 1) : depth_(depth), units_(units) {
    if (depth_ + units_ > 2500) raise("maximum recursion depth exceeded");
    depth_ += units_;
  }
  ~Nested() { depth_ -= units_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  int& depth_;
  int units_;
};

class Evaluator::ScopeGuard {
 public:
  ScopeGuard(Evaluator& owner, std::shared_ptr<Scope> parent)
      : owner_(owner),
        saved_(std::exchange(owner.scope_, std::make_shared<Scope>(Scope{std::move(parent), {}}))) {}
  ~ScopeGuard() { owner_.scope_ = std::move(saved_); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Evaluator& owner_;
  std::shared_ptr<Scope> saved_;
};

}  // namespace mindspeed::jinja
