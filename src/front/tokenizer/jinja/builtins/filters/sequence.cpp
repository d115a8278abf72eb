// Filters over lists: order, ends, groups.
#include <algorithm>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/filters/filter_tables.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

Value ignore_case(const Value& value) { return value.is(Kind::text) ? Value(lower(value.text())) : value; }

// Sorted copy by keys; `reverse` keeps equal items in their order, as Python does.
std::vector<Value> sorted(const std::vector<Value>& items, const std::vector<Value>& keys, bool reverse) {
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return reverse ? less(keys[b], keys[a]) : less(keys[a], keys[b]);
  });
  std::vector<Value> result;
  for (const size_t i : order) result.push_back(items[i]);
  return result;
}

Value sort(const Value& input, const Arguments& arguments) {
  const auto bound =
      bind("sort", arguments, {{"reverse", false}, {"case_sensitive", false}, {"attribute", None{}}});
  const std::vector<Value> items = iterate(input);
  std::vector<Value> keys;
  for (const Value& item : items) {
    std::vector<Value> key;  // several attributes: "a,b"
    std::vector<Value> paths = {bound[2]};
    if (bound[2].is(Kind::text)) {
      paths.clear();
      for (Text& path : split(bound[2].text(), ",", -1, false)) paths.push_back(std::move(path));
    }
    for (const Value& path : paths) {
      const Value part = get_path(item, path);
      key.push_back(truthy(bound[1]) ? part : ignore_case(part));
    }
    keys.push_back(Value::list(std::move(key)));
  }
  return Value::list(sorted(items, keys, truthy(bound[0])));
}

Value dict_sort(const Value& input, const Arguments& arguments) {
  const auto bound =
      bind("dictsort", arguments, {{"case_sensitive", false}, {"by", Text("key")}, {"reverse", false}});
  const std::string& by = need_text("dictsort", bound[1]).bytes();
  if (by != "key" && by != "value") raise("dictsort() sorts by \"key\" or \"value\"");
  if (input.is(Kind::undefined)) raise("{}", input.hint());
  if (!input.is(Kind::dict)) raise("'{}' object has no attribute 'items'", type_name(input));
  std::vector<Value> items, keys;
  for (const auto& [key, value] : input.dict().entries()) {
    items.push_back(Value::tuple({key, value}));
    const Value& sort_by = by == "key" ? key : value;
    keys.push_back(truthy(bound[0]) ? sort_by : ignore_case(sort_by));
  }
  return Value::list(sorted(items, keys, truthy(bound[2])));
}

Value unique(const Value& input, const Arguments& arguments) {
  const auto bound = bind("unique", arguments, {{"case_sensitive", false}, {"attribute", None{}}});
  Dict seen;
  std::vector<Value> result;
  for (const Value& item : iterate(input)) {
    const Value part = get_path(item, bound[1]);
    const Value key = truthy(bound[0]) ? part : ignore_case(part);
    if (seen.find(key)) continue;
    seen.set(key, None{});
    result.push_back(item);
  }
  return Value::generator(std::move(result));
}

template <bool largest>
Value extreme(const Value& input, const Arguments& arguments) {
  const auto bound = bind("min/max", arguments, {{"case_sensitive", false}, {"attribute", None{}}});
  const std::vector<Value> items = iterate(input);
  if (items.empty()) return Value::undefined("No aggregated item, sequence was empty.");
  const auto key_of = [&](const Value& item) {
    const Value part = get_path(item, bound[1]);
    return truthy(bound[0]) ? part : ignore_case(part);
  };
  size_t best = 0;
  for (size_t i = 1; i < items.size(); ++i)
    if (largest ? less(key_of(items[best]), key_of(items[i])) : less(key_of(items[i]), key_of(items[best])))
      best = i;
  return items[best];
}

Value sum(const Value& input, const Arguments& arguments) {
  const auto bound = bind("sum", arguments, {{"attribute", None{}}, {"start", int64_t{0}}});
  Value total = bound[1];
  if (total.is(Kind::text)) raise("sum() can't sum strings");
  for (const Value& item : iterate(input))
    total = arithmetic(Arithmetic::add, total, get_path(item, bound[0]));
  return total;
}

Value first(const Value& input, const Arguments& arguments) {
  bind("first", arguments, {});
  if (input.is(Kind::sequence) && input.sequence().type == Sequence::Type::generator) {
    std::vector<Value>& items = input.sequence().items;
    if (items.empty()) return Value::undefined("No first item, sequence was empty.");
    const Value item = items.front();
    items.erase(items.begin());
    return item;
  }
  const std::vector<Value> items = iterate(input);
  return items.empty() ? Value::undefined("No first item, sequence was empty.") : items.front();
}

Value last(const Value& input, const Arguments& arguments) {
  bind("last", arguments, {});
  if (input.is(Kind::sequence) && input.sequence().type == Sequence::Type::generator)
    raise("'generator' object is not reversible");
  const std::vector<Value> items = iterate(input);
  return items.empty() ? Value::undefined("No last item, sequence was empty.") : items.back();
}

Value reverse(const Value& input, const Arguments& arguments) {
  bind("reverse", arguments, {});
  std::vector<Value> items = iterate(input);
  std::reverse(items.begin(), items.end());
  if (!input.is(Kind::text)) return Value::generator(std::move(items));
  Text text;
  for (const Value& item : items) text.append(item.text());
  return text;
}

Value list(const Value& input, const Arguments& arguments) {
  bind("list", arguments, {});
  return Value::list(iterate(input));
}

Value items(const Value& input, const Arguments& arguments) {
  bind("items", arguments, {});
  if (input.is(Kind::undefined)) return Value::generator({});
  if (!input.is(Kind::dict)) raise("Can only get item pairs from a mapping.");
  std::vector<Value> pairs;
  for (const auto& [key, value] : input.dict().entries()) pairs.push_back(Value::tuple({key, value}));
  return Value::generator(std::move(pairs));
}

Value batch(const Value& input, const Arguments& arguments) {
  const auto bound = bind("batch", arguments, {{"linecount", {}}, {"fill_with", None{}}});
  const auto size = static_cast<size_t>(std::max<int64_t>(1, need_integer("batch", bound[0])));
  std::vector<Value> rows, row;
  for (const Value& item : iterate(input)) {
    if (row.size() == size) rows.push_back(Value::list(std::exchange(row, {})));
    row.push_back(item);
  }
  if (!row.empty()) {
    if (!bound[1].is(Kind::none) && size < 1000000) row.resize(std::max(size, row.size()), bound[1]);
    rows.push_back(Value::list(std::move(row)));
  }
  return Value::generator(std::move(rows));
}

Value slices(const Value& input, const Arguments& arguments) {
  const auto bound = bind("slice", arguments, {{"slices", {}}, {"fill_with", None{}}});
  const std::vector<Value> all = iterate(input);
  const int64_t count = need_integer("slice", bound[0]);
  if (count < 1 || count > 1000000) raise("slice() needs a count from 1 to 1000000");
  const auto size = static_cast<int64_t>(all.size());
  std::vector<Value> rows;
  for (int64_t i = 0, begin = 0; i < count; ++i) {
    const bool extra = i < size % count;
    const int64_t end = begin + size / count + extra;
    std::vector<Value> row(all.begin() + begin, all.begin() + end);
    if (!bound[1].is(Kind::none) && !extra) row.push_back(bound[1]);
    rows.push_back(Value::list(std::move(row)));
    begin = end;
  }
  return Value::generator(std::move(rows));
}

Value attribute(const Value& input, const Arguments& arguments) {
  const Value name = bind("attr", arguments, {{"name", {}}})[0];
  if (input.is(Kind::dict) && !find_method(input, need_text("attr", name).bytes()))
    return Value::undefined("dict object has no such attribute");
  return get_attribute(input, need_text("attr", name).bytes());
}

Value group_by(const Value& input, const Arguments& arguments) {
  const auto bound =
      bind("groupby", arguments, {{"attribute", {}}, {"default", None{}}, {"case_sensitive", false}});
  const std::vector<Value> all = iterate(input);
  std::vector<Value> keys, real_keys;
  for (const Value& item : all) {
    Value key = get_path(item, bound[0]);
    if (key.is(Kind::undefined) && !bound[1].is(Kind::none)) key = bound[1];
    real_keys.push_back(key);
    keys.push_back(truthy(bound[2]) ? key : ignore_case(key));
  }
  std::vector<Value> order, rows;
  for (size_t i = 0; i < all.size(); ++i) order.push_back(static_cast<int64_t>(i));
  order = sorted(order, keys, false);
  for (size_t i = 0; i < order.size();) {
    const auto head = static_cast<size_t>(order[i].integer());
    std::vector<Value> group;
    for (; i < order.size() && equal(keys[order[i].integer()], keys[head]); ++i)
      group.push_back(all[order[i].integer()]);
    rows.push_back(Value::tuple({real_keys[head], Value::list(std::move(group))}));
  }
  return Value::list(std::move(rows));
}

}  // namespace

std::span<const NamedFilter> sequence_filters() {
  static constexpr NamedFilter kFilters[] = {
      {"sort", sort},          {"dictsort", dict_sort}, {"unique", unique},
      {"min", extreme<false>}, {"max", extreme<true>},  {"sum", sum},
      {"first", first},        {"last", last},          {"reverse", reverse},
      {"list", list},          {"items", items},        {"batch", batch},
      {"slice", slices},       {"attr", attribute},     {"groupby", group_by}};
  return kFilters;
}

}  // namespace mindspeed::jinja
