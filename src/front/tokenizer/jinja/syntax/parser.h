// Template source -> statements. Everything that can't be rendered later is refused here, with its line.
#pragma once

#include <string_view>

#include "front/tokenizer/jinja/syntax/ast.h"

namespace mindspeed::jinja {

// Throws Error (exit code 2, "[chat template] line N: ...") on a syntax error and on statements, filters,
// tests and methods that this engine doesn't have. As in Jinja, a filter or test that nobody knows is an
// error here only outside {% if %} and inline if; inside them it is one when it is reached.
Body parse_template(std::string_view source);

}  // namespace mindspeed::jinja
