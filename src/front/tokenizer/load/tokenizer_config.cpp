// The files beside tokenizer.json: which tokens play a role, and the chat templates.
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed {
namespace {

// "</s>" or {"content": "</s>", ...}; null and absent mean none.
std::optional<std::string> token_text(const Json& file, const char* key) {
  const auto it = file.find(key);
  if (it == file.end() || it->is_null()) return std::nullopt;
  if (it->is_string()) return it->get<std::string>();
  if (it->is_object() && it->contains("content") && (*it)["content"].is_string())
    return (*it)["content"].get<std::string>();
  fail("tokenizer", "{} in tokenizer_config.json is {}; needed a token", key, it->dump());
}

std::optional<bool> wish(const Json& file, const char* key) {
  const auto it = file.find(key);
  if (it == file.end() || it->is_null()) return std::nullopt;
  if (!it->is_boolean())
    fail("tokenizer", "{} in tokenizer_config.json is {}; needed true or false", key, it->dump());
  return it->get<bool>();
}

// "text" or [{"name": "default", "template": "text"}, ...].
void read_templates(const Json& value, std::map<std::string, std::string>& out) {
  if (value.is_string()) {
    out["default"] = value.get<std::string>();
    return;
  }
  if (!value.is_array())
    fail("tokenizer", "chat_template in tokenizer_config.json is neither a text nor a list");
  for (const Json& entry : value) {
    if (!entry.is_object() || !entry.contains("name") || !entry.contains("template"))
      fail("tokenizer", "an entry of chat_template in tokenizer_config.json lacks name or template");
    out[entry["name"].get<std::string>()] = entry["template"].get<std::string>();
  }
}

}  // namespace

TokenizerConfig read_tokenizer_config(const fs::path& folder) {
  TokenizerConfig config;
  // The main file wins; the map of older models fills what it leaves out.
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
    if (!fs::exists(folder / name)) continue;
    const Json file = read_json(folder / name);
    if (!file.is_object()) fail("tokenizer", "{} is no object", (folder / name).string());
    if (!config.bos) config.bos = token_text(file, "bos_token");
    if (!config.eos) config.eos = token_text(file, "eos_token");
    if (!config.pad) config.pad = token_text(file, "pad_token");
    if (!config.unk) config.unk = token_text(file, "unk_token");
    if (!config.add_bos) config.add_bos = wish(file, "add_bos_token");
    if (!config.add_eos) config.add_eos = wish(file, "add_eos_token");
    if (!config.legacy) config.legacy = wish(file, "legacy");
    if (config.tokenizer_class.empty()) config.tokenizer_class = file.value("tokenizer_class", "");
    if (const auto it = file.find("chat_template"); it != file.end() && !it->is_null())
      read_templates(*it, config.chat_templates);
  }
  // A file of its own replaces the one inside the configuration, as in transformers.
  if (const fs::path file = folder / "chat_template.jinja"; fs::exists(file))
    config.chat_templates["default"] = read_file(file);
  if (const fs::path more = folder / "additional_chat_templates"; fs::is_directory(more))
    for (const auto& entry : fs::directory_iterator(more))
      if (entry.path().extension() == ".jinja")
        config.chat_templates[entry.path().stem()] = read_file(entry.path());
  return config;
}

}  // namespace mindspeed
