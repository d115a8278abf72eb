#include "front/tokenizer/model/word_piece.h"

#include <algorithm>

#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {

WordPiece::WordPiece(std::vector<std::pair<std::string, int32_t>> pieces, WordPieceOptions options)
    : options_(std::move(options)) {
  const std::string& prefix = options_.continuing_prefix;
  for (auto& [text, id] : pieces) {
    longest_ = std::max(longest_, text.size());
    if (text.starts_with(prefix)) next_.emplace(text.substr(prefix.size()), id);
    first_.emplace(std::move(text), id);
  }
}

bool WordPiece::cover(std::string_view word, WordScratch& scratch) const {
  for (size_t begin = 0; begin < word.size();) {
    const Pieces& pieces = begin == 0 ? first_ : next_;
    size_t length = std::min(word.size() - begin, longest_);
    auto found = pieces.end();
    for (; length > 0; --length) {
      // A cut inside a character is in no piece.
      if ((found = pieces.find(word.substr(begin, length))) != pieces.end()) break;
    }
    if (length == 0) return false;
    scratch.word.push_back(found->second);
    begin += length;
  }
  return true;
}

size_t WordPiece::encode_word(std::string_view word, WordScratch& scratch, std::vector<int32_t>& out) const {
  const uint64_t hash = WordCache::hash_of(word);
  if (const auto kept = scratch.cache.find(word, hash); kept.hit) {
    out.insert(out.end(), kept.ids.begin(), kept.ids.end());
    return 0;
  }
  scratch.word.clear();
  size_t characters = 0;
  for (size_t at = 0; at < word.size(); at += character_length(word, at)) ++characters;
  if (characters > options_.max_characters || !cover(word, scratch)) scratch.word = {options_.unknown};
  scratch.cache.insert(word, hash, scratch.word);
  out.insert(out.end(), scratch.word.begin(), scratch.word.end());
  return 0;
}

}  // namespace mindspeed::tokenization
