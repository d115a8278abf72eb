// WordPiece: the longest token that the rest of the word begins with, again and again.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "front/tokenizer/model/word_model.h"

namespace mindspeed::tokenization {

struct WordPieceOptions {
  std::string continuing_prefix = "##";  // put before every piece but the first
  size_t max_characters = 100;           // a longer word is unknown
  int32_t unknown = 0;                   // stands for a whole word that cannot be covered
};

// Immutable and thread-safe; source: Devlin et al. 2018 (BERT), as HF tokenizers' WordPiece.
class WordPiece : public WordModel {
 public:
  // `pieces`: text of each token, with its prefix, and its id.
  WordPiece(std::vector<std::pair<std::string, int32_t>> pieces, WordPieceOptions options);
  size_t encode_word(std::string_view word, WordScratch& scratch, std::vector<int32_t>& out) const override;

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return WordCache::hash_of(text); }
  };
  using Pieces = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

  // The pieces of `word` into scratch.word; false if a part is in no token.
  bool cover(std::string_view word, WordScratch& scratch) const;

  WordPieceOptions options_;
  Pieces first_;        // pieces that begin a word
  Pieces next_;         // the others, without their prefix
  size_t longest_ = 0;  // bytes of the longest piece
};

}  // namespace mindspeed::tokenization
