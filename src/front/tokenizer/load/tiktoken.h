// Vocabularies in tiktoken's form: one "BASE64 rank" per line; everything else is known only to the model's
// code and comes in here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

struct TiktokenSpec {
  std::string pattern;  // splits the text into words, in Rust's dialect
  std::vector<std::pair<std::string, int32_t>> special_tokens;
  bool nfc = false;  // normalise first, as Qwen's own tokenizer does
  std::optional<std::string> bos{}, eos{}, pad{};
};

// The words of Qwen (one digit a word: "\\p{N}") and Llama 3 ("\\p{N}{1,3}").
std::string tiktoken_pattern(const std::string& digits);

// The words of o200k_base (OpenAI's tiktoken) and Llama 4: a change from small to capital letters begins a
// word.
std::string tiktoken_o200k_pattern();

// Tokenizer::token gives raw bytes for these vocabularies. Throws Error naming file and line on a broken
// line, a rank or text that stands twice, and missing single bytes (without which texts could not be
// encoded).
Tokenizer load_tiktoken(const std::filesystem::path& path, const TiktokenSpec& spec);

}  // namespace mindspeed
