// The methods of each type, as tables.
#pragma once

#include <span>

#include "front/tokenizer/jinja/builtins/access.h"

namespace mindspeed::jinja {

struct Method {
  std::string_view name;
  Function::Body body;
};
std::span<const Method> text_methods();
std::span<const Method> dict_methods();
std::span<const Method> list_methods();

}  // namespace mindspeed::jinja
