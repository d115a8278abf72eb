// Reaching into values: items, attributes, slices and calls.
#pragma once

#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

// value[index]; where Python has no such item, an attribute of that name, else undefined (Jinja swallows the
// error). Raises when the value itself is undefined.
Value get_item(const Value& object, const Value& index);
// object.name: attributes (methods) first, then items.
Value get_attribute(const Value& object, std::string_view name);
// object[start:stop:step]; a none bound is left out. Unlike get_item this raises where Python does.
Value get_slice(const Value& object, const Value& start, const Value& stop, const Value& step);
Value call(const Value& callee, const Arguments& arguments);

// "a.b.0" or an index, as filters take it in `attribute=`: item after item.
Value get_path(const Value& object, const Value& path);

// A value that is called.
struct Function : Object {
  using Body = Value (*)(const Value& self, const Arguments& arguments);
  Function(std::string name, Value self, Body body)
      : name(std::move(name)), self(std::move(self)), body(body) {}
  std::string name;
  Value self;  // of a bound method
  Body body;
  std::string type_name() const override { return "function"; }
  bool callable() const override { return true; }
  Value call(const Arguments& arguments) override { return body(self, arguments); }
};

// text.format(...): {} {0} {name} {x.attribute} {x[item]}, conversions !s !r, and simple specs (fill, align,
// sign, 0, width, ',', precision, type).
Text format_braces(const Text& text, const Arguments& arguments);

}  // namespace mindspeed::jinja
