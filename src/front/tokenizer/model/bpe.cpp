#include "front/tokenizer/model/bpe.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "front/base/error.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

constexpr uint32_t kNoRank = ~uint32_t{0};
constexpr size_t kShortWord = 64;  // up to here a linear search for the best pair beats a heap

uint64_t key_of(int32_t left, int32_t right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
}

size_t slot_of(uint64_t key, size_t mask) {
  const uint64_t h = key * 0x9e3779b97f4a7c15ULL;
  return (h ^ (h >> 32)) & mask;
}

}  // namespace

Bpe::Bpe(std::vector<std::pair<std::string, int32_t>> pieces, const std::vector<BpeMerge>& merges,
         BpeOptions options)
    : options_(std::move(options)) {
  pieces_.reserve(pieces.size());
  for (std::pair<std::string, int32_t>& piece : pieces) {
    const auto [it, fresh] = pieces_.try_emplace(std::move(piece.first), piece.second);
    if (!fresh)
      fail("tokenizer", "tokens {} and {} have the same text \"{}\"", it->second, piece.second, it->first);
  }
  for (int b = 0; b < 256; ++b)
    bytes_[static_cast<size_t>(b)] = find(std::string(1, static_cast<char>(b))).value_or(-1);
  size_t slots = 16;
  while (slots < merges.size() * 2) slots *= 2;
  pairs_.resize(slots);
  for (const BpeMerge& merge : merges) add_pair(merge);
}

void Bpe::add_pair(const BpeMerge& merge) {
  const uint64_t key = key_of(merge.left, merge.right);
  size_t i = slot_of(key, pairs_.size() - 1);
  while (pairs_[i].key != ~uint64_t{0} && pairs_[i].key != key) i = (i + 1) & (pairs_.size() - 1);
  pairs_[i] = {key, merge.rank,
               merge.result};  // a repeated merge counts with its last rank, as in HF tokenizers
}

const Bpe::Pair* Bpe::pair_of(int32_t left, int32_t right) const {
  const uint64_t key = key_of(left, right);
  for (size_t i = slot_of(key, pairs_.size() - 1);; i = (i + 1) & (pairs_.size() - 1)) {
    if (pairs_[i].key == key) return &pairs_[i];
    if (pairs_[i].key == ~uint64_t{0}) return nullptr;
  }
}

std::optional<int32_t> Bpe::find(std::string_view piece) const {
  const auto it = pieces_.find(piece);
  if (it == pieces_.end()) return std::nullopt;
  return it->second;
}

bool Bpe::fall_back_to_bytes(std::string_view character, std::vector<int32_t>& symbols) const {
  const size_t before = symbols.size();
  for (const char c : character) {
    const auto id = find(fmt::format("<0x{:02X}>", static_cast<unsigned char>(c)));
    if (!id) {
      symbols.resize(before);
      return false;
    }
    symbols.push_back(*id);
  }
  return true;
}

// The word as single bytes or characters; returns how many found no token.
size_t Bpe::first_symbols(std::string_view word, std::vector<int32_t>& symbols) const {
  size_t dropped = 0;
  bool pending_unknown = false;
  const auto flush_unknown = [&] {
    if (pending_unknown) symbols.push_back(*options_.unknown);
    pending_unknown = false;
  };
  for (size_t i = 0; i < word.size();) {
    const size_t length = options_.by_bytes ? 1 : character_length(word, i);
    std::optional<int32_t> id;
    std::string text;
    if (options_.by_bytes) {
      const int32_t byte_id = bytes_[static_cast<unsigned char>(word[i])];
      if (byte_id >= 0) id = byte_id;
    } else {
      if (i > 0) text = options_.continuing_prefix;
      text += word.substr(i, length);
      if (i + length == word.size()) text += options_.end_suffix;
      id = find(text);
    }
    i += length;
    if (id) {
      flush_unknown();
      symbols.push_back(*id);
    } else if (options_.byte_fallback && fall_back_to_bytes(text, symbols)) {
      // Like HF tokenizers, a pending unknown token stays pending here.
    } else if (options_.unknown) {
      if (!options_.fuse_unknown) flush_unknown();
      pending_unknown = true;
    } else {
      ++dropped;
    }
  }
  flush_unknown();
  return dropped;
}

size_t Bpe::encode_word(std::string_view word, WordScratch& scratch, std::vector<int32_t>& out) const {
  const uint64_t hash = WordCache::hash_of(word);
  if (const auto kept = scratch.cache.find(word, hash); kept.hit) {
    out.insert(out.end(), kept.ids.begin(), kept.ids.end());
    return 0;
  }
  scratch.word.clear();
  size_t dropped = 0;
  const auto whole = options_.ignore_merges ? find(word) : std::nullopt;
  if (whole) {
    scratch.word.push_back(*whole);
  } else {
    dropped = first_symbols(word, scratch.word);
    if (scratch.word.size() <= kShortWord)
      merge_short(scratch);
    else
      merge_long(scratch.word);
  }
  if (dropped == 0) scratch.cache.insert(word, hash, scratch.word);
  out.insert(out.end(), scratch.word.begin(), scratch.word.end());
  return dropped;
}

void Bpe::merge_short(WordScratch& scratch) const {
  std::vector<int32_t>& word = scratch.word;
  if (word.size() < 2) return;
  size_t n = word.size();
  scratch.ranks.assign(n, kNoRank);
  scratch.results.resize(n);
  const auto rate = [&](size_t i) {
    const Pair* pair = i + 1 < n ? pair_of(word[i], word[i + 1]) : nullptr;
    scratch.ranks[i] = pair != nullptr ? pair->rank : kNoRank;
    if (pair != nullptr) scratch.results[i] = pair->result;
  };
  for (size_t i = 0; i + 1 < n; ++i) rate(i);
  while (n > 1) {
    const auto first = scratch.ranks.begin();
    const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(n));
    if (*best == kNoRank) break;
    const auto at = static_cast<size_t>(best - first);
    word[at] = scratch.results[at];
    const auto gap = static_cast<std::ptrdiff_t>(at) + 1;
    word.erase(word.begin() + gap);
    scratch.ranks.erase(first + gap);
    scratch.results.erase(scratch.results.begin() + gap);
    --n;
    rate(at);
    if (at > 0) rate(at - 1);
  }
}

// A heap of candidate pairs over a linked list: n log n, for runs without any split point.
void Bpe::merge_long(std::vector<int32_t>& word) const {
  struct Candidate {
    uint32_t rank;
    int32_t at;  // index of the left symbol
    int32_t left, right, result;
    bool operator>(const Candidate& o) const { return rank != o.rank ? rank > o.rank : at > o.at; }
  };
  const auto n = static_cast<int32_t>(word.size());
  std::vector<int32_t> previous(word.size());
  std::vector<int32_t> next(word.size());
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> heap;
  const auto push = [&](int32_t at) {
    if (at < 0 || next[static_cast<size_t>(at)] >= n) return;
    const int32_t left = word[static_cast<size_t>(at)];
    const int32_t right = word[static_cast<size_t>(next[static_cast<size_t>(at)])];
    if (const Pair* pair = pair_of(left, right)) heap.push({pair->rank, at, left, right, pair->result});
  };
  for (int32_t i = 0; i < n; ++i) {
    previous[static_cast<size_t>(i)] = i - 1;
    next[static_cast<size_t>(i)] = i + 1;
  }
  for (int32_t i = 0; i + 1 < n; ++i) push(i);
  while (!heap.empty()) {
    const Candidate best = heap.top();
    heap.pop();
    const auto at = static_cast<size_t>(best.at);
    // Stale if either symbol has changed since (-1 marks a symbol that was swallowed).
    if (word[at] != best.left || next[at] >= n || word[static_cast<size_t>(next[at])] != best.right) continue;
    const auto gone = static_cast<size_t>(next[at]);
    word[at] = best.result;
    word[gone] = -1;
    next[at] = next[gone];
    if (next[at] < n) previous[static_cast<size_t>(next[at])] = best.at;
    push(best.at);
    push(previous[at]);
  }
  std::erase(word, -1);
}

}  // namespace mindspeed::tokenization
