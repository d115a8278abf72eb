#include "front/tokenizer/jinja/builtins/access.h"

#include <algorithm>
#include <charconv>

#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

std::optional<Value> item_of(const Value& object, const Value& index) {
  if (object.is(Kind::dict)) {
    const Value* found = object.dict().find(index);
    return found ? std::optional(*found) : std::nullopt;
  }
  if (!index.is_integral()) return {};
  int64_t position = index.integer();
  if (object.is(Kind::text)) {
    const std::vector<size_t> ends = object.text().code_point_ends();
    const auto size = static_cast<int64_t>(ends.size()) - 1;
    if (position < 0) position += size;
    if (position < 0 || position >= size) return {};
    return object.text().slice(ends[position], ends[position + 1]);
  }
  if (!object.is(Kind::sequence)) return {};
  const Sequence& sequence = object.sequence();
  if (sequence.type == Sequence::Type::generator || sequence.is_view()) return {};
  const auto size = static_cast<int64_t>(sequence.items.size());
  if (position < 0) position += size;
  if (position < 0 || position >= size) return {};
  return sequence.items[position];
}

std::optional<Value> attribute_of(const Value& object, std::string_view name) {
  if (object.is(Kind::object)) return object.object().attribute(name);
  return find_method(object, name);
}

Value missing(const Value& object, const Value& index) {
  if (object.is(Kind::none))
    return Value::undefined(fmt::format("'None' has no attribute {}", repr(index).bytes()));
  return Value::undefined(
      fmt::format("'{} object' has no attribute {}", type_name(object), repr(index).bytes()));
}

}  // namespace

Value get_item(const Value& object, const Value& index) {
  if (object.is(Kind::undefined)) raise("{}", object.hint());
  // Python can't hash lists: obj[[1]] is a swallowed TypeError.
  const bool hashable =
      !index.is(Kind::dict) && !(index.is(Kind::sequence) && index.sequence().type == Sequence::Type::list);
  if (hashable)
    if (auto found = item_of(object, index)) return *found;
  if (index.is(Kind::text))
    if (auto found = attribute_of(object, index.text().bytes())) return *found;
  return missing(object, index);
}

Value get_attribute(const Value& object, std::string_view name) {
  if (object.is(Kind::undefined)) raise("{}", object.hint());
  if (auto found = attribute_of(object, name)) return *found;
  if (object.is(Kind::dict))
    if (const Value* found = object.dict().find(name)) return *found;
  return missing(object, Value(name));
}

Value get_slice(const Value& object, const Value& start, const Value& stop, const Value& step) {
  if (object.is(Kind::undefined)) raise("{}", object.hint());
  const bool sliceable = object.is(Kind::text) ||
                         (object.is(Kind::sequence) && object.sequence().type != Sequence::Type::generator &&
                          !object.sequence().is_view());
  if (!sliceable) raise("'{}' object is not sliceable", type_name(object));
  for (const Value* bound : {&start, &stop, &step})
    if (!bound->is(Kind::none) && !bound->is_integral()) raise("slice indices must be integers or None");
  const int64_t stride = step.is(Kind::none) ? 1 : step.integer();
  if (stride == 0) raise("slice step cannot be zero");
  const int64_t size = length(object);
  const auto clamp = [&](const Value& bound, int64_t fallback) {
    if (bound.is(Kind::none)) return fallback;
    const int64_t position = bound.integer() < 0 ? bound.integer() + size : bound.integer();
    return stride > 0 ? std::clamp<int64_t>(position, 0, size) : std::clamp<int64_t>(position, -1, size - 1);
  };
  const int64_t from = clamp(start, stride > 0 ? 0 : size - 1), to = clamp(stop, stride > 0 ? size : -1);
  std::vector<int64_t> picked;
  for (int64_t i = from; stride > 0 ? i < to : i > to; i += stride) picked.push_back(i);
  if (object.is(Kind::text)) {
    const std::vector<size_t> ends = object.text().code_point_ends();
    if (stride == 1) return picked.empty() ? Text() : object.text().slice(ends[from], ends[to]);
    Text text;
    for (const int64_t i : picked) text.append(object.text().slice(ends[i], ends[i + 1]));
    return text;
  }
  std::vector<Value> items;
  for (const int64_t i : picked) items.push_back(object.sequence().items[i]);
  return object.sequence().type == Sequence::Type::tuple ? Value::tuple(std::move(items))
                                                         : Value::list(std::move(items));
}

Value call(const Value& callee, const Arguments& arguments) {
  if (callee.is(Kind::undefined)) raise("{}", callee.hint());
  if (!callee.is(Kind::object)) raise("'{}' object is not callable", type_name(callee));
  return callee.object().call(arguments);
}

Value get_path(const Value& object, const Value& path) {
  if (path.is(Kind::none)) return object;
  if (!path.is(Kind::text)) return get_item(object, path);
  Value value = object;
  for (const Text& part : split(path.text(), ".", -1, false)) {
    const std::string& name = part.bytes();
    int64_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    const bool is_index = error == std::errc() && end == name.data() + name.size() && name[0] != '-';
    value = get_item(value, is_index ? Value(index) : Value(part));
  }
  return value;
}

}  // namespace mindspeed::jinja
