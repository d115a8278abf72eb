// The filters, as tables per subject.
#pragma once

#include <span>

#include "front/tokenizer/jinja/builtins/registry.h"

namespace mindspeed::jinja {

struct NamedFilter {
  std::string_view name;
  Filter filter;
};
std::span<const NamedFilter> text_filters();
std::span<const NamedFilter> number_filters();
std::span<const NamedFilter> sequence_filters();
std::span<const NamedFilter> selecting_filters();

}  // namespace mindspeed::jinja
