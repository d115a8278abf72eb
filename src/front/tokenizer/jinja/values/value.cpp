#include "front/tokenizer/jinja/values/value.h"

#include "front/tokenizer/jinja/values/operators.h"

namespace mindspeed::jinja {
namespace {

Value make_sequence(Sequence::Type type, std::vector<Value> items) {
  return std::make_shared<Sequence>(Sequence{type, std::move(items), {}});
}

bool is_hashable(const Value& value) {
  if (value.is(Kind::dict)) return false;
  if (!value.is(Kind::sequence)) return true;
  const Sequence& sequence = value.sequence();
  if (sequence.type == Sequence::Type::list || sequence.is_view()) return false;
  if (sequence.type == Sequence::Type::tuple)
    for (const Value& item : sequence.items)
      if (!is_hashable(item)) return false;
  return true;
}

}  // namespace

Value Value::undefined(std::string hint) {
  Value value;
  std::get<Undefined>(value.data_).hint = std::move(hint);
  return value;
}
Value Value::list(std::vector<Value> items) { return make_sequence(Sequence::Type::list, std::move(items)); }
Value Value::tuple(std::vector<Value> items) {
  return make_sequence(Sequence::Type::tuple, std::move(items));
}
Value Value::generator(std::vector<Value> items) {
  return make_sequence(Sequence::Type::generator, std::move(items));
}

bool Value::same_as(const Value& other) const {
  if (kind() != other.kind()) return false;
  switch (kind()) {
    case Kind::text:
      return &text() == &other.text() || text().bytes() == other.text().bytes();
    case Kind::sequence:
      return &sequence() == &other.sequence();
    case Kind::dict:
      return &dict() == &other.dict();
    case Kind::object:
      return &object() == &other.object();
    default:
      return equal(*this, other);
  }
}

const Value* Dict::find(const Value& key) const {
  if (key.is(Kind::text)) return find(key.text().bytes());
  if (!is_hashable(key)) raise("unhashable type: '{}'", type_name(key));
  for (const Entry& entry : entries_)
    if (equal(entry.first, key)) return &entry.second;
  return nullptr;
}

const Value* Dict::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.first.is(Kind::text) && entry.first.text().bytes() == key) return &entry.second;
  return nullptr;
}

void Dict::set(Value key, Value value) {
  if (const Value* old = find(key))
    const_cast<Value&>(*old) = std::move(value);
  else
    entries_.emplace_back(std::move(key), std::move(value));
}

std::string type_name(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return "Undefined";
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::floating:
      return "float";
    case Kind::text:
      return "str";
    case Kind::dict:
      return "dict";
    case Kind::object:
      return value.object().type_name();
    case Kind::sequence:
      break;
  }
  switch (value.sequence().type) {
    case Sequence::Type::list:
      return "list";
    case Sequence::Type::tuple:
      return "tuple";
    case Sequence::Type::range:
      return "range";
    case Sequence::Type::keys:
      return "dict_keys";
    case Sequence::Type::values:
      return "dict_values";
    case Sequence::Type::items:
      return "dict_items";
    case Sequence::Type::generator:
      break;
  }
  return "generator";
}

}  // namespace mindspeed::jinja
