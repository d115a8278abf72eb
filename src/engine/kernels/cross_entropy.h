// Language-model head and cross entropy in one pass over chunks of rows: full logits never exist.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <optional>

namespace mindspeed::kernels {

// Reductions over the ranks that share a vocabulary; both in place. Empty = this rank has the whole
// vocabulary.
struct VocabularyReduce {
  std::function<void(at::Tensor&)> maximum;
  std::function<void(at::Tensor&)> sum;
};

struct HeadWeight {
  at::Tensor weight;                    // [V_local, H]: rows [begin, begin + V_local) of the vocabulary
  std::optional<at::Tensor> main_grad;  // fp32 [V_local, H]; required when the weight is trained
  int64_t begin = 0;
  int64_t valid = 0;      // local rows that are real vocabulary; padding rows behind are masked
  double scale = 1.0;     // logits = scale * h W^T
  double soft_cap = 0.0;  // then cap * tanh(logits / cap); 0 = off
  VocabularyReduce reduce;
};

// sum_i row_weights[i] * nll(hidden[i], labels[i]) as an fp32 scalar; hidden [N, H], labels [N] int64,
// row_weights [N] fp32. Rows of weight 0 are not computed. When grad mode is on, forward also computes the
// gradients, multiplied by `loss_scale` in fp32 before they are rounded to hidden's type: that of hidden is
// kept for backward, that of the weight is added to main_grad at once. Backward must start from `loss_scale`;
// else it throws std::logic_error.
at::Tensor linear_cross_entropy(const at::Tensor& hidden, const HeadWeight& head, const at::Tensor& labels,
                                const at::Tensor& row_weights, double loss_scale = 1.0);

// Negative log-likelihoods [N] fp32, no gradient.
at::Tensor token_nll(const at::Tensor& hidden, const HeadWeight& head, const at::Tensor& labels);

}  // namespace mindspeed::kernels
