// Values of templates, with Python's types and truth. Copies are cheap: compound values are shared.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "front/tokenizer/jinja/text/text.h"

namespace mindspeed::jinja {

// What Python would raise while rendering; the evaluator adds the line and turns it into Error.
struct RenderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
template <class... Args>
[[noreturn]] void raise(fmt::format_string<Args...> format, Args&&... args) {
  throw RenderError(fmt::format(format, std::forward<Args>(args)...));
}

class Value;
struct Sequence;
class Dict;
struct Object;

struct Undefined {
  std::string hint;  // why there is no value; shown when it is used
};
struct None {};

// Order of the alternatives of Value.
enum class Kind { undefined, none, boolean, integer, floating, text, sequence, dict, object };

class Value {
 public:
  Value() : data_(Undefined{}) {}
  Value(None) : data_(None{}) {}
  Value(bool value) : data_(value) {}
  Value(int64_t value) : data_(value) {}
  Value(double value) : data_(value) {}
  Value(Text text) : data_(std::make_shared<const Text>(std::move(text))) {}
  Value(std::string_view text) : Value(Text(std::string(text))) {}
  Value(const char*) = delete;  // would become bool
  Value(std::shared_ptr<Sequence> sequence) : data_(std::move(sequence)) {}
  Value(std::shared_ptr<const Dict> dict) : data_(std::move(dict)) {}
  Value(std::shared_ptr<Object> object) : data_(std::move(object)) {}
  static Value undefined(std::string hint);
  static Value list(std::vector<Value> items);
  static Value tuple(std::vector<Value> items);
  static Value generator(std::vector<Value> items);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }
  bool is_number() const { return is(Kind::boolean) || is(Kind::integer) || is(Kind::floating); }
  bool is_integral() const { return is(Kind::boolean) || is(Kind::integer); }

  // Throw std::bad_variant_access when the kind is another.
  const std::string& hint() const { return std::get<Undefined>(data_).hint; }
  bool boolean() const { return std::get<bool>(data_); }
  const Text& text() const { return *std::get<std::shared_ptr<const Text>>(data_); }
  Sequence& sequence() const { return *std::get<std::shared_ptr<Sequence>>(data_); }
  const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(data_); }
  Object& object() const { return *std::get<std::shared_ptr<Object>>(data_); }
  // bool and int as int; bool, int and float as float.
  int64_t integer() const { return is(Kind::boolean) ? boolean() : std::get<int64_t>(data_); }
  double floating() const {
    return is(Kind::floating) ? std::get<double>(data_) : static_cast<double>(integer());
  }
  // Same object (Python's `is`); small scalars compare by kind and value.
  bool same_as(const Value& other) const;

 private:
  std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const Text>, std::shared_ptr<Sequence>,
               std::shared_ptr<const Dict>, std::shared_ptr<Object>>
      data_;
};

// list, tuple, range, the views of a dict, and generators (which filters like `map` give: no length, no
// index, always true, gone after one pass).
struct Sequence {
  enum class Type { list, tuple, range, keys, values, items, generator };
  Type type;
  std::vector<Value> items;
  std::string label;  // how a range prints
  bool is_view() const { return type == Type::keys || type == Type::values || type == Type::items; }
};

// Keeps the order of insertion. Keys compare as in Python (1 == 1.0 == True).
class Dict {
 public:
  using Entry = std::pair<Value, Value>;
  const std::vector<Entry>& entries() const { return entries_; }
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  // Replaces the value of an equal key. Raises on keys that Python can't hash.
  void set(Value key, Value value);

 private:
  std::vector<Entry> entries_;
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keyword;
};

// Everything with behaviour: functions, macros, namespaces, loops.
struct Object : std::enable_shared_from_this<Object> {
  virtual ~Object() = default;
  virtual std::string type_name() const = 0;
  virtual bool callable() const { return false; }
  virtual Value call(const Arguments&) { raise("'{}' object is not callable", type_name()); }
  virtual std::optional<Value> attribute(std::string_view) { return {}; }
};

// Python's name of the type ("str", "NoneType", ...).
std::string type_name(const Value& value);

}  // namespace mindspeed::jinja
