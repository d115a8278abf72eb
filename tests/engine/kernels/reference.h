// Plain ATen references and comparisons for kernel tests.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <vector>

namespace mindspeed::test {

inline at::Tensor leaf(std::vector<int64_t> shape, double scale = 1.0) {
  return (at::randn(shape) * scale).detach().requires_grad_(true);
}

inline double relative(const at::Tensor& a, const at::Tensor& b) {
  const double scale = b.abs().max().item<double>();
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>() / (scale > 0 ? scale : 1.0);
}

// Gradients of sum(out * seed) with respect to inputs.
inline std::vector<at::Tensor> gradients(const at::Tensor& out, const at::Tensor& seed,
                                         const std::vector<at::Tensor>& inputs) {
  return torch::autograd::grad({out}, inputs, {seed}, /*retain_graph=*/true, /*create_graph=*/false,
                               /*allow_unused=*/true);
}

}  // namespace mindspeed::test
