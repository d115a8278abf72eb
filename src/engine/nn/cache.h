// Keys and values of the tokens seen so far, for generation.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace mindspeed {

// One slot per attention layer on this rank. Rows of a batch may have different lengths: a token is stored at
// its position, and a query sees the keys at positions up to its own, so stale entries behind a row's end are
// never read.
class KvCache {
 public:
  // capacity: positions per row.
  KvCache(int64_t batch, int64_t capacity) : batch_(batch), capacity_(capacity) {}

  // Stores k, v [B, g, T, d] at positions [B, T] of `layer`; returns views [B, g, used, d] of all keys and
  // values up to the largest position stored so far. Throws Error when a position is past the capacity.
  std::pair<at::Tensor, at::Tensor> update(int64_t layer, const at::Tensor& k, const at::Tensor& v,
                                           const at::Tensor& positions);
  int64_t capacity() const { return capacity_; }
  int64_t batch() const { return batch_; }
  // Keeps only the given rows, in that order (finished rows leave the batch).
  void select_rows(const at::Tensor& rows);

 private:
  struct Slot {
    at::Tensor k, v;  // [B, g, capacity, d]
    int64_t used = 0;
  };
  int64_t batch_, capacity_;
  std::vector<Slot> slots_;
};

}  // namespace mindspeed
