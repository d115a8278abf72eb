// Remembers the ids of words met before. Bounded; belongs to one caller, so it needs no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed::tokenization {

class WordCache {
 public:
  // The ids kept for `word`, or nullptr data if it is unknown. Valid until the next insert.
  struct Found {
    bool hit;
    std::span<const int32_t> ids;
  };
  Found find(std::string_view word, uint64_t hash) const;

  // Keeps a word (at most kMaxWord bytes; longer ones are ignored). Forgets everything when full.
  void insert(std::string_view word, uint64_t hash, std::span<const int32_t> ids);

  void clear();

  static uint64_t hash_of(std::string_view word);
  static constexpr size_t kMaxWord = 64;

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t word_at = 0;
    uint32_t ids_at = 0;
    uint16_t word_size = 0;  // 0: free (the empty word is never kept)
    uint16_t ids_size = 0;
  };
  static constexpr size_t kMaxSlots = size_t{1} << 16;

  size_t position(std::string_view word, uint64_t hash) const;
  void grow();

  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::string words_;
  std::vector<int32_t> ids_;
};

}  // namespace mindspeed::tokenization
