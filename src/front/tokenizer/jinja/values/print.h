// Values as text: Python's str and repr, and JSON as json.dumps writes it. Marks of the parts are kept.
#pragma once

#include <optional>

#include "front/base/json.h"
#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

// str(value): what {{ value }} prints.
Text to_text(const Value& value);
Text repr(const Value& value);
// repr of a float: shortest digits that read back equal.
std::string format_float(double value);

struct JsonStyle {
  bool ensure_ascii = false;
  std::optional<std::string> indent;  // the white space of one level; none = one line
  std::string item_separator = ", ";
  std::string key_separator = ": ";
  bool sort_keys = false;
};
// json.dumps(value). Raises on values that JSON doesn't have.
Text to_json(const Value& value, const JsonStyle& style);

// Every string of `json`, keys too, gets `marks`. Throws Error on integers beyond 64 bits.
Value from_json(const OrderedJson& json, uint8_t marks);

}  // namespace mindspeed::jinja
