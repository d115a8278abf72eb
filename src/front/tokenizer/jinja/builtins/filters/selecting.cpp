// map, select, reject, selectattr, rejectattr: other filters and tests applied to every item.
#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/filters/filter_tables.h"
#include "front/tokenizer/jinja/values/operators.h"

namespace mindspeed::jinja {
namespace {

Value map_attribute(const Value& input, const Arguments& arguments) {
  const auto bound = bind("map", arguments, {{"attribute", {}}, {"default", None{}}});
  std::vector<Value> result;
  for (const Value& item : iterate(input)) {
    Value value = get_path(item, bound[0]);
    result.push_back(value.is(Kind::undefined) && !bound[1].is(Kind::none) ? bound[1] : value);
  }
  return Value::generator(std::move(result));
}

Value map(const Value& input, const Arguments& arguments) {
  if (!truthy(input)) return Value::generator({});
  if (arguments.positional.empty()) {
    if (arguments.keyword.empty() || arguments.keyword[0].first != "attribute")
      raise("map() needs the name of a filter, or attribute=");
    return map_attribute(input, arguments);
  }
  const std::string& name = need_text("map", arguments.positional[0]).bytes();
  const Filter filter = find_filter(name);
  if (!filter) raise("no filter named '{}'", name);
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  std::vector<Value> result;
  for (const Value& item : iterate(input)) result.push_back(filter(item, rest));
  return Value::generator(std::move(result));
}

template <bool wanted, bool by_attribute>
Value select(const Value& input, const Arguments& arguments) {
  if (!truthy(input)) return Value::generator({});
  Arguments rest = arguments;
  Value attribute = None{};
  if (by_attribute) {
    if (rest.positional.empty()) raise("selectattr() needs the name of an attribute");
    attribute = rest.positional[0];
    rest.positional.erase(rest.positional.begin());
  }
  Test test = nullptr;
  if (!rest.positional.empty()) {
    const std::string& name = need_text("select", rest.positional[0]).bytes();
    test = find_test(name);
    if (!test) raise("no test named '{}'", name);
    rest.positional.erase(rest.positional.begin());
  }
  std::vector<Value> result;
  for (const Value& item : iterate(input)) {
    const Value subject = get_path(item, attribute);
    if ((test ? test(subject, rest) : truthy(subject)) == wanted) result.push_back(item);
  }
  return Value::generator(std::move(result));
}

}  // namespace

std::span<const NamedFilter> selecting_filters() {
  static constexpr NamedFilter kFilters[] = {{"map", map},
                                             {"select", select<true, false>},
                                             {"reject", select<false, false>},
                                             {"selectattr", select<true, true>},
                                             {"rejectattr", select<false, true>}};
  return kFilters;
}

}  // namespace mindspeed::jinja
