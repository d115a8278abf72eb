// Binds the arguments of a call to named parameters, as Python does.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

struct Parameter {
  std::string_view name;
  std::optional<Value> fallback;  // none: required
};

// One value per parameter, in their order. Raises on missing, surplus, unknown and doubled arguments.
std::vector<Value> bind(std::string_view function, const Arguments& arguments,
                        std::initializer_list<Parameter> parameters);

// Reads with the error that Python gives for a wrong type.
int64_t need_integer(std::string_view function, const Value& value);
const Text& need_text(std::string_view function, const Value& value);

}  // namespace mindspeed::jinja
