// Reading one component ({"type": ..., ...}) of tokenizer.json: every key is read or the file is refused.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "front/base/json.h"

namespace mindspeed::tokenization {

// The component's "type". Throws Error naming `place` ("pre_tokenizer") if there is none.
std::string type_of(const Json& component, std::string_view place);

// Throws Error if the component has a key that is neither "type" nor in `known`.
void require_known_keys(const Json& component, std::string_view place,
                        std::initializer_list<std::string_view> known);

// component[key], or `fallback` if absent or null. Throws Error naming place and key on a wrong type.
bool get_bool(const Json& component, std::string_view place, std::string_view key, bool fallback);
std::string get_string(const Json& component, std::string_view place, std::string_view key,
                       std::string_view fallback);

// component[key] as an array. Throws Error if it is absent or another type.
const Json& get_array(const Json& component, std::string_view place, std::string_view key);

// A "pattern": {"String": s} or {"Regex": s}.
struct PatternSource {
  std::string text;
  bool is_regex;
};
PatternSource get_pattern(const Json& component, std::string_view place);

[[noreturn]] void refuse_component(std::string_view place, std::string_view type);

}  // namespace mindspeed::tokenization
