#include "front/convert/gguf/side_files.h"

#include <nlohmann/json.hpp>

#include "front/convert/gguf/gguf_config.h"

namespace mindspeed {
namespace {

std::string generation_config(const Json& config) {
  Json generation{{"_from_model_config", true}};
  for (const char* key : {"bos_token_id", "eos_token_id", "pad_token_id"})
    if (config.contains(key)) generation[key] = config.at(key);
  return generation.dump(2) + "\n";
}

}  // namespace

std::map<std::string, std::string> gguf_side_files(const fs::path& path) {
  const GgufFile file(path);
  const Json config = gguf_config(file);
  std::map<std::string, std::string> files{{"config.json", config.dump(2) + "\n"},
                                           {"generation_config.json", generation_config(config)}};
  if (file.find("tokenizer.ggml.tokens") == nullptr) return files;
  const TokenizerFiles tokenizer = to_tokenizer_json(gguf_vocabulary(file));
  files["tokenizer.json"] = tokenizer.tokenizer_json;
  files["tokenizer_config.json"] = tokenizer.tokenizer_config_json;
  files["special_tokens_map.json"] = tokenizer.special_tokens_map_json;
  if (tokenizer.chat_template_jinja) files["chat_template.jinja"] = *tokenizer.chat_template_jinja;
  return files;
}

}  // namespace mindspeed
