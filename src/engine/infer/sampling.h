// Choosing the next token from logits.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "front/plan/generate.h"

namespace mindspeed {

// Throws Error (exit code 2) for a temperature that is not positive, a negative top_k, or top_p outside (0,
// 1].
void check_sampling(const SamplingOptions& options);

// One token per row of logits [B, V] fp32. Order as transformers and Megatron: divide by the temperature,
// keep the top_k largest, then the smallest set of most likely tokens whose probabilities sum to at least
// top_p, then draw. The draw of row i at step `step` uses (seed, rows[i], step) only, so a row's answer does
// not depend on its batch.
std::vector<int32_t> sample(const at::Tensor& logits, const SamplingOptions& options,
                            std::span<const int64_t> rows, int64_t step);

}  // namespace mindspeed
