#include "front/tokenizer/model/word_cache.h"

#include <cstring>

namespace mindspeed::tokenization {

uint64_t WordCache::hash_of(std::string_view word) {
  // Eight bytes a step: words are short, so the mixing at the end dominates.
  uint64_t h = 0x9e3779b97f4a7c15ULL ^ word.size();
  size_t i = 0;
  for (; i + 8 <= word.size(); i += 8) {
    uint64_t block = 0;
    std::memcpy(&block, word.data() + i, 8);
    h = (h ^ block) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  uint64_t rest = 0;
  if (i < word.size()) std::memcpy(&rest, word.data() + i, word.size() - i);
  h = (h ^ rest) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 29);
}

size_t WordCache::position(std::string_view word, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.word_size == 0) return i;
    if (slot.hash == hash && slot.word_size == word.size() &&
        std::memcmp(words_.data() + slot.word_at, word.data(), word.size()) == 0)
      return i;
  }
}

WordCache::Found WordCache::find(std::string_view word, uint64_t hash) const {
  if (slots_.empty()) return {false, {}};
  const Slot& slot = slots_[position(word, hash)];
  if (slot.word_size == 0) return {false, {}};
  return {true, {ids_.data() + slot.ids_at, slot.ids_size}};
}

void WordCache::insert(std::string_view word, uint64_t hash, std::span<const int32_t> ids) {
  if (word.empty() || word.size() > kMaxWord) return;
  if (used_ * 2 >= slots_.size()) grow();
  Slot& slot = slots_[position(word, hash)];
  if (slot.word_size != 0) return;
  slot = {hash, static_cast<uint32_t>(words_.size()), static_cast<uint32_t>(ids_.size()),
          static_cast<uint16_t>(word.size()), static_cast<uint16_t>(ids.size())};
  words_ += word;
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ++used_;
}

void WordCache::grow() {
  // A small table first: most callers encode one short text.
  if (slots_.size() >= kMaxSlots) {
    clear();
    return;
  }
  std::vector<Slot> old(slots_.empty() ? 256 : slots_.size() * 4);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.word_size == 0) continue;
    const std::string_view word(words_.data() + slot.word_at, slot.word_size);
    slots_[position(word, slot.hash)] = slot;
  }
}

void WordCache::clear() {
  slots_.assign(slots_.size(), Slot{});
  used_ = 0;
  words_.clear();
  ids_.clear();
}

}  // namespace mindspeed::tokenization
