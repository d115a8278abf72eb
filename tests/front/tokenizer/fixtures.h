// Golden rows, and the vocabularies that scripts/fetch_fixtures.sh brings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front/tokenizer/gguf_vocabulary.h"

namespace mindspeed::test {

// One string with what the reference tokenizer made of it.
struct GoldenRow {
  std::string text;
  std::vector<int32_t> ids;  // special tokens in the text recognised
  std::optional<std::vector<int32_t>> ids_ordinary;
  std::string decoded;
  std::optional<std::string> decoded_skip_special;
};

// tests/golden/tokenizers/NAME.jsonl; throws if it does not hold the 387 strings.
std::vector<GoldenRow> golden_rows(const std::string& name);

// build/fixtures/NAME; throws, naming the script, if it is not there.
std::string fixture(const std::string& name);

// For what the script may leave out when offline.
bool has_fixture(const std::string& name);

// The vocabulary of SmolLM2's GGUF file.
GgufVocabulary smollm2_gguf();

}  // namespace mindspeed::test
