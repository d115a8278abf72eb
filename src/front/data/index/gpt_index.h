// The order in which Megatron's GPTDataset cuts sequences into samples (megatron/core/datasets/gpt_dataset.py
// and helpers.cpp of megatron-core 0.12): three arrays, computed in O(n) from the sequence lengths and a
// seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "front/data/index/split.h"

namespace mindspeed {

struct GptIndexRequest {
  std::span<const int32_t> lengths;    // tokens of every sequence of the file
  SplitRange range;                    // the sequences that take part
  std::optional<int64_t> num_samples;  // at least so many; nothing: exactly one epoch
  int64_t sequence_length = 0;
  uint32_t seed = 1234;
  bool extra_token = true;  // a sample takes sequence_length + 1 tokens and overlaps the next one by one
  bool drop_last_partial = true;  // else a last, shorter sample is kept
};

// Integers of one of two widths, in memory that `GptIndex::storage` owns.
class IndexArray {
 public:
  IndexArray() = default;
  explicit IndexArray(std::span<const int32_t> values) : narrow_(values.data()), size_(values.size()) {}
  explicit IndexArray(std::span<const uint32_t> values)
      : narrow_(reinterpret_cast<const int32_t*>(values.data())), size_(values.size()), unsigned_(true) {}
  explicit IndexArray(std::span<const int64_t> values) : wide_(values.data()), size_(values.size()) {}

  int64_t operator[](size_t i) const {
    if (wide_ != nullptr) return wide_[i];
    return unsigned_ ? int64_t{static_cast<uint32_t>(narrow_[i])} : int64_t{narrow_[i]};
  }
  size_t size() const { return size_; }
  bool is_wide() const { return wide_ != nullptr; }
  std::span<const std::byte> bytes() const {
    return wide_ != nullptr ? std::as_bytes(std::span(wide_, size_))
                            : std::as_bytes(std::span(narrow_, size_));
  }

 private:
  const int32_t* narrow_ = nullptr;
  const int64_t* wide_ = nullptr;
  size_t size_ = 0;
  bool unsigned_ = false;
};

struct GptIndex {
  IndexArray documents;  // [epochs * sequences] sequence numbers in reading order, int32
  IndexArray samples;    // [samples + 1, 2] (position in `documents`, token offset), int32 or int64
  IndexArray shuffle;    // [samples] which sample is handed out as number i, uint32 or int64
  std::shared_ptr<const void> storage;
  int64_t size() const { return static_cast<int64_t>(shuffle.size()); }
};

// Sizes that follow from a request before anything is built.
struct GptIndexShape {
  int64_t tokens_per_epoch = 0;
  int64_t epochs = 1;
  int64_t samples = 0;
  bool separate_final_epoch = false;       // the last epoch is shuffled apart: little of it is used
  int64_t samples_before_final_epoch = 0;  // only when separate_final_epoch
};

// Throws Error (exit code 2) when the range holds too few tokens to make a sample.
GptIndexShape gpt_index_shape(const GptIndexRequest& request);

GptIndex build_gpt_index(const GptIndexRequest& request);

}  // namespace mindspeed
