#include "front/tokenizer/pipeline/component.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"

namespace mindspeed::tokenization {

std::string type_of(const Json& component, std::string_view place) {
  if (!component.is_object() || !component.contains("type") || !component["type"].is_string())
    fail("tokenizer", "{} in tokenizer.json has no \"type\"", place);
  return component["type"].get<std::string>();
}

void require_known_keys(const Json& component, std::string_view place,
                        std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : component.items())
    if (key != "type" && std::find(known.begin(), known.end(), key) == known.end())
      fail("tokenizer",
           "{} {} in tokenizer.json has an unknown setting \"{}\": {}; the tokenizer would not be the same "
           "without it",
           place, component.value("type", ""), key, value.dump());
}

bool get_bool(const Json& component, std::string_view place, std::string_view key, bool fallback) {
  const auto it = component.find(key);
  if (it == component.end() || it->is_null()) return fallback;
  if (!it->is_boolean())
    fail("tokenizer", "{}.{} in tokenizer.json is {}; needed true or false", place, key, it->dump());
  return it->get<bool>();
}

std::string get_string(const Json& component, std::string_view place, std::string_view key,
                       std::string_view fallback) {
  const auto it = component.find(key);
  if (it == component.end() || it->is_null()) return std::string(fallback);
  if (!it->is_string())
    fail("tokenizer", "{}.{} in tokenizer.json is {}; needed a string", place, key, it->dump());
  return it->get<std::string>();
}

const Json& get_array(const Json& component, std::string_view place, std::string_view key) {
  const auto it = component.find(key);
  if (it == component.end() || !it->is_array())
    fail("tokenizer", "{} in tokenizer.json needs a list \"{}\"", place, key);
  return *it;
}

PatternSource get_pattern(const Json& component, std::string_view place) {
  const auto it = component.find("pattern");
  if (it != component.end() && it->is_object() && it->size() == 1) {
    const std::string& kind = it->begin().key();
    const Json& text = it->begin().value();
    if (text.is_string() && !text.get_ref<const std::string&>().empty()) {
      if (kind == "Regex") return {text.get<std::string>(), true};
      if (kind == "String") return {text.get<std::string>(), false};
    }
  }
  fail("tokenizer", "{} in tokenizer.json needs a pattern {{\"Regex\": ...}} or {{\"String\": ...}}", place);
}

void refuse_component(std::string_view place, std::string_view type) {
  fail("tokenizer",
       "tokenizer.json uses the {} \"{}\", which is not supported; a similar one would give other ids", place,
       type);
}

}  // namespace mindspeed::tokenization
