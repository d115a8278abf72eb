// Vocabularies in tiktoken's form: one "BASE64 rank" per line; everything else is known only to the model's
// code and comes in here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

struct TokenizerParts;

struct TiktokenSpec {
  std::string pattern;  // splits the text into words, in Rust's dialect
  std::vector<std::pair<std::string, int32_t>> special_tokens;
  bool nfc = false;  // normalise first, as Qwen's own tokenizer does
  std::optional<std::string> bos{}, eos{}, pad{};
  bool add_bos = false;  // encode(add_special_tokens) puts bos before the text
};

inline constexpr int32_t kMaxTokens = 1 << 24;  // a bigger id is a damaged file

// Bytes of each token and its id, which is also its rank: neighbours whose joined text has the lowest are
// joined.
using TiktokenRanks = std::vector<std::pair<std::string, int32_t>>;

// The lines of a tiktoken file. Throws Error naming `origin` and the line that is broken.
TiktokenRanks read_tiktoken(std::string_view content, std::string_view origin);

// Tokenizer::token gives raw bytes for these vocabularies. `content`: the file, for the fingerprint. Throws
// Error naming `origin` on a rank or text that stands twice, and missing single bytes (without which texts
// could not be encoded).
TokenizerParts parts_from_ranks(TiktokenRanks ranks, const TiktokenSpec& spec, std::string_view content,
                                std::string_view origin);

// Whether `content` begins with "BASE64 number".
bool is_tiktoken(std::string_view content);

// The bytes that `text` stands for, or nothing if it is no BASE64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace mindspeed
