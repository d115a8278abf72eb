// Byte-pair encoding of one word: which pair of neighbours is joined next is decided by its rank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "front/tokenizer/model/word_model.h"

namespace mindspeed::tokenization {

struct BpeMerge {
  int32_t left;
  int32_t right;
  int32_t result;
  uint32_t rank;  // lower goes first
};

struct BpeOptions {
  bool by_bytes = false;       // words start as single bytes; else as characters
  bool ignore_merges = false;  // a word that is a token itself is not split
  bool byte_fallback = false;  // unknown characters become "<0xE2>" tokens
  bool fuse_unknown = false;   // neighbouring unknown characters become one unknown token
  std::optional<int32_t> unknown;
  std::string continuing_prefix;  // put before every character but the first
  std::string end_suffix;         // put after the last character
};

// Immutable and thread-safe; source: Sennrich et al. 2016, with the tie rules of HF tokenizers (leftmost
// first).
class Bpe : public WordModel {
 public:
  // `pieces`: text of each token (raw bytes with by_bytes) and its id. Throws Error on two tokens of one
  // text.
  Bpe(std::vector<std::pair<std::string, int32_t>> pieces, const std::vector<BpeMerge>& merges,
      BpeOptions options);

  size_t encode_word(std::string_view word, WordScratch& scratch, std::vector<int32_t>& out) const override;

  std::optional<int32_t> find(std::string_view piece) const;

 private:
  struct Pair {
    uint64_t key = ~uint64_t{0};  // left << 32 | right
    uint32_t rank = 0;
    int32_t result = 0;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return WordCache::hash_of(text); }
  };

  const Pair* pair_of(int32_t left, int32_t right) const;
  void add_pair(const BpeMerge& merge);
  size_t first_symbols(std::string_view word, std::vector<int32_t>& symbols) const;
  bool fall_back_to_bytes(std::string_view character, std::vector<int32_t>& symbols) const;
  void merge_short(WordScratch& scratch) const;
  void merge_long(std::vector<int32_t>& word) const;

  BpeOptions options_;
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> pieces_;
  std::array<int32_t, 256> bytes_{};  // id of each single byte, -1 if none
  std::vector<Pair> pairs_;           // open addressing
};

}  // namespace mindspeed::tokenization
