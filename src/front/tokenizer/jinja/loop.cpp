#include "front/tokenizer/jinja/loop.h"

#include "front/tokenizer/jinja/values/operators.h"

namespace mindspeed::jinja {
namespace {

Loop& loop_of(const Value& self) { return static_cast<Loop&>(self.object()); }

Value cycle(const Value& self, const Arguments& arguments) {
  if (arguments.positional.empty()) raise("no items for cycling given");
  return arguments.positional[loop_of(self).index0 % arguments.positional.size()];
}

Value changed(const Value& self, const Arguments& arguments) {
  Loop& loop = loop_of(self);
  const bool same =
      loop.last_changed && equal(Value::tuple(*loop.last_changed), Value::tuple(arguments.positional));
  loop.last_changed = arguments.positional;
  return !same;
}

}  // namespace

std::optional<Value> Loop::attribute(std::string_view name) {
  const auto index = static_cast<int64_t>(index0), size = static_cast<int64_t>(items.size());
  if (name == "index") return index + 1;
  if (name == "index0") return index;
  if (name == "revindex") return size - index;
  if (name == "revindex0") return size - index - 1;
  if (name == "first") return index == 0;
  if (name == "last") return index + 1 == size;
  if (name == "length") return size;
  if (name == "depth") return int64_t{1};  // counts only in recursive loops
  if (name == "depth0") return int64_t{0};
  if (name == "previtem")
    return index > 0 ? items[index0 - 1] : Value::undefined("there is no previous item");
  if (name == "nextitem")
    return index + 1 < size ? items[index0 + 1] : Value::undefined("there is no next item");
  const auto method = [&](Function::Body body) {
    return Value(std::static_pointer_cast<Object>(
        std::make_shared<Function>(std::string(name), shared_from_this(), body)));
  };
  if (name == "cycle") return method(cycle);
  if (name == "changed") return method(changed);
  return {};
}

}  // namespace mindspeed::jinja
