// A parsed template, as Jinja2 with the settings of Hugging Face chat templates: trim_blocks, lstrip_blocks,
// immutable sandbox, loop controls, no automatic escaping, {% generation %} blocks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

struct Statement;

class Template {
 public:
  // Throws Error (exit code 2, names line and construct) on what can't be parsed or isn't supported.
  explicit Template(std::string_view source);

  // `now_seconds` (since 1970) is what strftime_now shows, in local time. Safe to call from several threads.
  // Throws Error naming the line where Jinja would raise, raise_exception() included.
  Text render(const std::vector<std::pair<std::string, Value>>& variables, int64_t now_seconds = 0) const;

 private:
  std::shared_ptr<const std::vector<Statement>> body_;
};

}  // namespace mindspeed::jinja
