// Methods of dict, list and tuple, and the look-up of methods.
#include <algorithm>

#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/methods/method_tables.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/values/operators.h"

namespace mindspeed::jinja {
namespace {

template <Sequence::Type type>
Value view(const Value& self, const Arguments& arguments) {
  bind("dict view", arguments, {});
  auto result = std::make_shared<Sequence>(Sequence{type, {}, {}});
  for (const auto& [key, value] : self.dict().entries()) {
    if (type == Sequence::Type::keys) result->items.push_back(key);
    if (type == Sequence::Type::values) result->items.push_back(value);
    if (type == Sequence::Type::items) result->items.push_back(Value::tuple({key, value}));
  }
  return result;
}

Value get_method(const Value& self, const Arguments& arguments) {
  if (!arguments.keyword.empty()) raise("dict.get() takes no keyword arguments");
  const auto bound = bind("get", arguments, {{"key", {}}, {"default", None{}}});
  const Value* found = self.dict().find(bound[0]);
  return found ? *found : bound[1];
}

Value copy_method(const Value& self, const Arguments& arguments) {
  bind("copy", arguments, {});
  return self.is(Kind::dict) ? self : Value::list(self.sequence().items);
}

Value index_method(const Value& self, const Arguments& arguments) {
  const Value wanted = bind("index", arguments, {{"value", {}}})[0];
  const std::vector<Value>& items = self.sequence().items;
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Value& item) { return equal(item, wanted); });
  if (found == items.end()) raise("the value is not in the list");
  return static_cast<int64_t>(found - items.begin());
}

Value count_items(const Value& self, const Arguments& arguments) {
  const Value wanted = bind("count", arguments, {{"value", {}}})[0];
  const std::vector<Value>& items = self.sequence().items;
  return static_cast<int64_t>(
      std::count_if(items.begin(), items.end(), [&](const Value& item) { return equal(item, wanted); }));
}

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::string_view kMutatingDict[] = {"clear", "pop", "popitem", "setdefault", "update"};
constexpr std::string_view kMutatingList[] = {"append", "clear", "pop",    "reverse",
                                              "insert", "sort",  "extend", "remove"};

}  // namespace

std::span<const Method> dict_methods() {
  static constexpr Method kMethods[] = {{"get", get_method},
                                        {"items", view<Sequence::Type::items>},
                                        {"keys", view<Sequence::Type::keys>},
                                        {"values", view<Sequence::Type::values>},
                                        {"copy", copy_method}};
  return kMethods;
}

std::span<const Method> list_methods() {
  static constexpr Method kMethods[] = {
      {"index", index_method}, {"count", count_items}, {"copy", copy_method}};
  return kMethods;
}

std::optional<Value> find_method(const Value& object, std::string_view name) {
  std::span<const Method> methods;
  bool mutating = false;
  if (object.is(Kind::text)) {
    methods = text_methods();
  } else if (object.is(Kind::dict)) {
    methods = dict_methods();
    mutating = has(kMutatingDict, name);
  } else if (object.is(Kind::sequence) && (object.sequence().type == Sequence::Type::list ||
                                           object.sequence().type == Sequence::Type::tuple)) {
    const bool is_list = object.sequence().type == Sequence::Type::list;
    if (is_list || name != "copy") methods = list_methods();
    mutating = is_list && has(kMutatingList, name);
  }
  if (mutating)
    return Value::undefined(
        fmt::format("access to attribute '{}' of '{}' object is unsafe: chat templates must "
                    "not change their arguments",
                    name, type_name(object)));
  for (const Method& method : methods)
    if (method.name == name)
      return Value(std::static_pointer_cast<Object>(
          std::make_shared<Function>(std::string(name), object, method.body)));
  return {};
}

bool is_missing_method(std::string_view name) {
  static constexpr std::string_view kMissing[] = {
      "casefold",    "center",       "encode",    "expandtabs", "format_map", "isascii",
      "isdecimal",   "isidentifier", "isnumeric", "istitle",    "ljust",      "maketrans",
      "isprintable", "partition",    "rindex",    "rjust",      "swapcase",   "translate",
      "zfill",       "rpartition",   "fromkeys",  "bit_length", "is_integer"};
  return has(kMissing, name);
}

}  // namespace mindspeed::jinja
