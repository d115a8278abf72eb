// The inner loops of the optimizers on flat fp32 memory: one pass over weights, gradients and moments.
// Compiled for several x86-64 levels; the CPU's best one is chosen when the program starts. Element-wise, so
// the number of threads does not change a bit of the result.
#pragma once

#include <cstdint>

namespace mindspeed {

// Constants of one AdamW step. Source: torch.optim.AdamW (decoupled decay, eps outside the bias-corrected
// root).
struct AdamStep {
  float gradient_scale;  // clipping coefficient; 1 = none
  float beta1, beta2, eps;
  float decay_factor;     // 1 - lr * weight decay
  float step_size;        // lr / (1 - beta1^t)
  float root_correction;  // sqrt(1 - beta2^t)
};

// p, m, v [n] are updated from g [n].
void adamw_update(float* p, const float* g, float* m, float* v, int64_t n, const AdamStep& step);

// p -= lr * b with b = momentum * b + g + weight_decay * p (torch.optim.SGD: decay is added to the gradient).
// `buffer` may be null when momentum is 0. `first`: the buffer starts as the gradient itself.
struct SgdStep {
  float gradient_scale, lr, momentum, weight_decay;
  bool first;
};
void sgd_update(float* p, const float* g, float* buffer, int64_t n, const SgdStep& step);

// out[i] = round-to-nearest-even bf16 of in[i].
void round_to_bf16(const float* in, uint16_t* out, int64_t n);

// Sum of squares in fp64, added in a fixed order: the same value for any number of threads.
double sum_of_squares(const float* x, int64_t n);

}  // namespace mindspeed
