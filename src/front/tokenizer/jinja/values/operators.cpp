#include "front/tokenizer/jinja/values/operators.h"

#include <algorithm>

namespace mindspeed::jinja {
namespace {

// A use of an undefined value that Jinja answers with UndefinedError.
[[noreturn]] void raise_undefined(const Value& value) { raise("{}", value.hint()); }

bool ordered_sequences(const Value& a, const Value& b) {
  if (!a.is(Kind::sequence) || !b.is(Kind::sequence)) return false;
  const Sequence::Type type = a.sequence().type;
  return type == b.sequence().type && (type == Sequence::Type::list || type == Sequence::Type::tuple);
}

// Integers beyond 2^53 must not be compared as doubles.
int compare_numbers(const Value& a, const Value& b) {
  if (a.is_integral() && b.is_integral()) return a.integer() < b.integer() ? -1 : a.integer() > b.integer();
  const double x = a.floating(), y = b.floating();
  return x < y ? -1 : x == y ? 0 : 1;
}

bool equal_dicts(const Dict& a, const Dict& b) {
  if (a.entries().size() != b.entries().size()) return false;
  return std::all_of(a.entries().begin(), a.entries().end(), [&](const Dict::Entry& entry) {
    const Value* other = b.find(entry.first);
    return other && equal(entry.second, *other);
  });
}

}  // namespace

bool truthy(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
    case Kind::none:
      return false;
    case Kind::boolean:
      return value.boolean();
    case Kind::integer:
      return value.integer() != 0;
    case Kind::floating:
      return value.floating() != 0;
    case Kind::text:
      return !value.text().empty();
    case Kind::sequence:
      return value.sequence().type == Sequence::Type::generator || !value.sequence().items.empty();
    case Kind::dict:
      return !value.dict().entries().empty();
    case Kind::object:
      break;
  }
  return true;
}

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::text:
      return a.text().bytes() == b.text().bytes();
    case Kind::dict:
      return equal_dicts(a.dict(), b.dict());
    case Kind::object:
      return &a.object() == &b.object();
    case Kind::sequence: {
      const Sequence &x = a.sequence(), &y = b.sequence();
      if (&x == &y) return true;
      if (x.type != y.type || x.type == Sequence::Type::generator || x.type == Sequence::Type::values)
        return false;
      return std::equal(x.items.begin(), x.items.end(), y.items.begin(), y.items.end(), equal);
    }
    default:
      return true;  // none and undefined
  }
}

bool less(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) < 0;
  if (a.is(Kind::text) && b.is(Kind::text)) return a.text().bytes() < b.text().bytes();
  if (ordered_sequences(a, b)) {
    const std::vector<Value>&x = a.sequence().items, &y = b.sequence().items;
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (!equal(x[i], y[i])) return less(x[i], y[i]);
    return x.size() < y.size();
  }
  if (a.is(Kind::undefined)) raise_undefined(a);
  if (b.is(Kind::undefined)) raise_undefined(b);
  raise("'<' not supported between instances of '{}' and '{}'", type_name(a), type_name(b));
}

bool contains(const Value& haystack, const Value& needle) {
  switch (haystack.kind()) {
    case Kind::undefined:
      return false;
    case Kind::dict:
      return haystack.dict().find(needle) != nullptr;
    case Kind::text:
      if (!needle.is(Kind::text))
        raise("'in <string>' requires string as left operand, not {}", type_name(needle));
      return haystack.text().bytes().find(needle.text().bytes()) != std::string::npos;
    case Kind::sequence: {
      const std::vector<Value> items = iterate(haystack);
      return std::any_of(items.begin(), items.end(), [&](const Value& item) { return equal(item, needle); });
    }
    default:
      raise("argument of type '{}' is not iterable", type_name(haystack));
  }
}

std::vector<Value> iterate(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return {};
    case Kind::sequence:
      if (value.sequence().type == Sequence::Type::generator)
        return std::exchange(value.sequence().items, {});
      return value.sequence().items;
    case Kind::dict: {
      std::vector<Value> keys;
      for (const auto& entry : value.dict().entries()) keys.push_back(entry.first);
      return keys;
    }
    case Kind::text: {
      std::vector<Value> characters;
      const std::vector<size_t> ends = value.text().code_point_ends();
      for (size_t i = 0; i + 1 < ends.size(); ++i)
        characters.push_back(value.text().slice(ends[i], ends[i + 1]));
      return characters;
    }
    default:
      raise("'{}' object is not iterable", type_name(value));
  }
}

int64_t length(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return 0;
    case Kind::text:
      return static_cast<int64_t>(value.text().length());
    case Kind::dict:
      return static_cast<int64_t>(value.dict().entries().size());
    case Kind::sequence:
      if (value.sequence().type != Sequence::Type::generator)
        return static_cast<int64_t>(value.sequence().items.size());
      break;
    default:
      break;
  }
  raise("object of type '{}' has no len()", type_name(value));
}

}  // namespace mindspeed::jinja
