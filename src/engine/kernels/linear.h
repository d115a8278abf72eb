// Linear layers whose weight gradient goes straight into the fp32 accumulation buffer.
#pragma once

#include <ATen/ATen.h>

#include <optional>

namespace mindspeed::kernels {

// y [..., O] = x [..., I] weight^T + bias, weight [O, I].
// When `main_grad` (fp32, [O, I]) is given, backward adds the weight gradient to it and returns an undefined
// gradient for the weight; otherwise autograd returns it. The bias gradient always comes from autograd.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& main_grad,
                  const std::optional<at::Tensor>& bias = std::nullopt);

// rows [..., H] of weight [V, H] at ids [...] int64. Ids outside [begin, begin + V) give zero rows
// (vocabulary-parallel tables hold rows [begin, begin + V)). Gradient as for linear. Throws Error for
// negative ids.
at::Tensor embedding(const at::Tensor& ids, const at::Tensor& weight,
                     const std::optional<at::Tensor>& main_grad, int64_t begin = 0);

}  // namespace mindspeed::kernels
