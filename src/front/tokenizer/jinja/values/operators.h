// Python's operators on template values. All raise RenderError where Python raises.
#pragma once

#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

bool truthy(const Value& value);
bool equal(const Value& a, const Value& b);
// a < b for numbers, strings, lists and tuples.
bool less(const Value& a, const Value& b);
// needle in haystack
bool contains(const Value& haystack, const Value& needle);

// What a loop over the value visits; a generator is emptied.
std::vector<Value> iterate(const Value& value);
// len(value)
int64_t length(const Value& value);

enum class Arithmetic { add, subtract, multiply, divide, floor_divide, modulo, power };
// Integers have 64 bits; where Python would go on with more, this raises.
Value arithmetic(Arithmetic op, const Value& a, const Value& b);
Value negate(const Value& value);

// text % values, printf style.
Text format_percent(const Text& text, const Value& values);

}  // namespace mindspeed::jinja
