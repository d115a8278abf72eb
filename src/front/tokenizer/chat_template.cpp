#include "front/tokenizer/chat_template.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed {
namespace {

using jinja::Value;

// Roles made of letters are part of the control structure: several templates build tokens like "<|user|>"
// from them.
bool is_plain_role(const OrderedJson& message) {
  const auto role = message.find("role");
  if (role == message.end() || !role->is_string()) return false;
  const auto& name = role->get_ref<const std::string&>();
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// transformers gives reasoning under its standard name, and under "thinking" for the templates that read
// that.
OrderedJson with_reasoning_names(const OrderedJson& message) {
  OrderedJson result = OrderedJson::object();
  const OrderedJson* reasoning = nullptr;
  for (const char* name : {"reasoning_content", "thinking", "reasoning"})
    if (const auto found = message.find(name); !reasoning && found != message.end() && !found->is_null())
      reasoning = &*found;
  if (reasoning) result["thinking"] = *reasoning;
  for (const auto& [key, value] : message.items())
    if (!value.is_null()) result[key] = value;
  if (reasoning) result["reasoning_content"] = *reasoning;
  return result;
}

Value to_value(const OrderedJson& message, const ChatOptions& options) {
  if (!message.is_object())
    fail("chat template", "a message came as {}; messages must be objects with \"role\" and \"content\"",
         message.type_name());
  const OrderedJson named = with_reasoning_names(message);
  const bool plain_role = is_plain_role(named);
  const auto& trusted = options.trusted_roles;
  const bool trust = plain_role && std::find(trusted.begin(), trusted.end(),
                                             named["role"].get<std::string>()) != trusted.end();
  const uint8_t marks = trust ? 0 : jinja::kContent;
  auto dict = std::make_shared<jinja::Dict>();
  for (const auto& [key, value] : named.items()) {
    const bool is_role = key == "role" && plain_role;
    dict->set(jinja::Text(key, marks), jinja::from_json(value, is_role ? 0 : marks));
  }
  return std::shared_ptr<const jinja::Dict>(std::move(dict));
}

}  // namespace

ChatTemplate::ChatTemplate(std::string_view source, std::string bos_token, std::string eos_token,
                           std::vector<std::pair<std::string, std::string>> special_tokens)
    : template_(source), special_tokens_(std::move(special_tokens)) {
  special_tokens_.emplace_back("bos_token", std::move(bos_token));
  special_tokens_.emplace_back("eos_token", std::move(eos_token));
}

jinja::Text ChatTemplate::render_text(const OrderedJson& messages, const ChatOptions& options) const {
  if (!messages.is_array())
    fail("chat template", "messages came as {}; they must be an array of objects", messages.type_name());
  if (options.extra && !options.extra->is_object())
    fail("chat template", "further variables came as {}; they must be an object", options.extra->type_name());
  std::vector<std::pair<std::string, Value>> variables;
  for (const auto& [name, token] : special_tokens_)
    if (!token.empty()) variables.emplace_back(name, jinja::Text(token));
  std::vector<Value> list;
  for (const auto& message : messages) list.push_back(to_value(message, options));
  const auto optional_value = [](const OrderedJson* json) {
    return json ? jinja::from_json(*json, jinja::kContent) : Value(jinja::None{});
  };
  variables.emplace_back("messages", Value::list(std::move(list)));
  variables.emplace_back("tools", optional_value(options.tools));
  variables.emplace_back("documents", optional_value(options.documents));
  variables.emplace_back("add_generation_prompt", options.add_generation_prompt);
  if (options.extra)
    for (const auto& [name, value] : options.extra->items())
      variables.emplace_back(name, jinja::from_json(value, jinja::kContent));
  return template_.render(variables, options.now_seconds.value_or(std::time(nullptr)));
}

std::string ChatTemplate::render(const OrderedJson& messages, const ChatOptions& options) const {
  return render_text(messages, options).bytes();
}

std::vector<ChatSegment> ChatTemplate::render_segments(const OrderedJson& messages,
                                                       const ChatOptions& options) const {
  const jinja::Text text = render_text(messages, options);
  std::vector<ChatSegment> segments;
  size_t begin = 0;
  for (const jinja::Text::Run& run : text.runs()) {
    segments.push_back({text.bytes().substr(begin, run.end - begin), !(run.marks & jinja::kContent),
                        (run.marks & jinja::kGenerated) != 0});
    begin = run.end;
  }
  return segments;
}

}  // namespace mindspeed
