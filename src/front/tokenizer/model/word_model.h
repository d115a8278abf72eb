// The model of a tokenizer: one word of the pre-tokenizer -> ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "front/tokenizer/model/word_cache.h"

namespace mindspeed::tokenization {

// Working memory of one caller.
struct WordScratch {
  WordCache cache;
  std::vector<int32_t> word;    // result of the word in work
  std::vector<uint32_t> ranks;  // of the pair that begins at each symbol
  std::vector<int32_t> results;
};

// Immutable and thread-safe.
class WordModel {
 public:
  virtual ~WordModel() = default;
  // Appends the ids of `word`. Bytes or characters that no token covers and that have no unknown token add
  // nothing and are counted in the return value.
  virtual size_t encode_word(std::string_view word, WordScratch& scratch,
                             std::vector<int32_t>& out) const = 0;
};

}  // namespace mindspeed::tokenization
