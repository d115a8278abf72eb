// Rotary position embedding (Su et al. 2021) with the scalings of transformers' modeling_rope_utils.
#pragma once

#include <ATen/ATen.h>

#include "front/plan/model_spec.h"

namespace mindspeed::kernels {

// Cosine and sine tables, fp32, angles computed in fp64.
struct RopeTable {
  at::Tensor cosine, sine;  // [positions, dim / 2]
  int64_t dim = 0;
  bool interleaved = false;
};

// `positions` rows. For RopeScaling::dynamic the base depends on the length in use: pass the number of
// positions of the batch (transformers grows it with the longest sequence seen).
RopeTable rope_table(const RopeSpec& spec, int64_t positions);

// Inverse frequencies after scaling, [dim / 2] fp64 values; `length` as above. Throws Error for a scaling
// this build does not implement.
std::vector<double> rope_inverse_frequencies(const RopeSpec& spec, int64_t length);

// Rotates the first table.dim channels of every head. x [B, T, h, d] (last dimension contiguous), positions
// [B, T] int64
// -> [B, h, T, d] contiguous, ready for attention.
at::Tensor rope_to_heads(const at::Tensor& x, const RopeTable& table, const at::Tensor& positions);

}  // namespace mindspeed::kernels
