// Floating-point operations of a training step, by the formula that Megatron and MindSpeed report with
// --log-throughput (forward and backward, multiply and add counted apart). Torch-free.
#pragma once

#include "front/plan/model_spec.h"

namespace mindspeed {

struct StepFlops {
  double total = 0.0;
  double core_attention = 0.0;  // the part of q k^T and its product with v
};

// `samples` of `sequence` tokens. `attended`: mean share of the S x S score matrix that is used; 0.5 for
// causal rows, 0.5 * sum(length^2) / S^2 when documents do not see each other.
StepFlops step_flops(const ModelSpec& model, int64_t samples, int64_t sequence, double attended = 0.5);

}  // namespace mindspeed
