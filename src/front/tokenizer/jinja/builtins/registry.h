// The filters, tests, methods and functions that templates can use, by name.
#pragma once

#include <string_view>

#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

using Filter = Value (*)(const Value& input, const Arguments& arguments);
using Test = bool (*)(const Value& input, const Arguments& arguments);

// nullptr for unknown names.
Filter find_filter(std::string_view name);
Test find_test(std::string_view name);
// Filters that Jinja has and this engine hasn't (urlize, pprint ...): refused when a template is read.
bool is_missing_filter(std::string_view name);

// A bound method of a string, list, tuple or dict; nothing if Python's type has no such attribute. Methods
// that change a list or dict are undefined values, which raise when called (Jinja's immutable sandbox).
std::optional<Value> find_method(const Value& object, std::string_view name);
// Methods of Python's str, list or dict that this engine hasn't: refused when a template is read.
bool is_missing_method(std::string_view name);

// range, dict, namespace, cycler, joiner, raise_exception, strftime_now.
std::vector<std::pair<std::string, Value>> global_functions(int64_t now_seconds);

// A value under an attribute that templates can set: {% set ns.x = 1 %}.
struct Namespace : Object {
  std::vector<std::pair<std::string, Value>> values;
  std::string type_name() const override { return "Namespace"; }
  std::optional<Value> attribute(std::string_view name) override;
  // Raises on names that begin with "_".
  void set(std::string_view name, Value value);
};

}  // namespace mindspeed::jinja
