#include "front/tokenizer/jinja/template.h"

#include "front/base/error.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/evaluator.h"
#include "front/tokenizer/jinja/syntax/parser.h"

namespace mindspeed::jinja {

Template::Template(std::string_view source) : body_(std::make_shared<const Body>(parse_template(source))) {}

Text Template::render(const std::vector<std::pair<std::string, Value>>& variables,
                      int64_t now_seconds) const {
  Evaluator evaluator(global_functions(now_seconds));
  for (const auto& [name, value] : variables) evaluator.set(name, value);
  try {
    return evaluator.render(*body_);
  } catch (const RenderError& error) {
    fail("chat template", "line {}: {}", evaluator.line(), error.what());
  }
}

}  // namespace mindspeed::jinja
