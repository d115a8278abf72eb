// Storage of the parameters of one rank: one flat buffer of values and one of fp32 gradients. Offsets are
// aligned to kAlign elements; the length is a multiple of shards * kAlign, so that each data-parallel rank
// can own an equal range.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "engine/nn/parameter.h"
#include "front/base/dtype.h"

namespace mindspeed {

class ParameterStore {
 public:
  static constexpr int64_t kAlign = 64;
  struct Range {
    int64_t begin = 0, end = 0;
  };

  // Allocates the buffers and sets value and main_grad of every parameter (views made with variable_data(),
  // which do not share a version counter). `shards` = number of ranks that will own a range each (1 = no
  // sharding).
  ParameterStore(const std::vector<Parameter*>& parameters, DType dtype, int shards);

  const std::vector<Parameter*>& parameters() const { return parameters_; }
  Range range_of(size_t index) const { return ranges_[index]; }  // of parameters()[index], padding excluded
  Range owned(int shard) const;                        // range of the flat buffers that shard `shard` owns
  at::Tensor values() const { return values_; }        // [length], storage dtype
  at::Tensor gradients() const { return gradients_; }  // [length], fp32
  void zero_gradients();

 private:
  std::vector<Parameter*> parameters_;
  std::vector<Range> ranges_;
  at::Tensor values_, gradients_;
  int shards_ = 1;
};

}  // namespace mindspeed
