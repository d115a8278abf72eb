// The variable `loop` inside a for block.
#pragma once

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/values/value.h"

namespace mindspeed::jinja {

struct Loop : Object {
  explicit Loop(std::vector<Value> items) : items(std::move(items)) {}
  std::vector<Value> items;
  size_t index0 = 0;
  std::optional<std::vector<Value>> last_changed;
  std::string type_name() const override { return "LoopContext"; }
  std::optional<Value> attribute(std::string_view name) override;
};

}  // namespace mindspeed::jinja
