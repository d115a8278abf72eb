#include "engine/kernels/activation.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "engine/kernels/cpu/rows.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

struct SwigluFunction : torch::autograd::Function<SwigluFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& gate_up) {
    ctx->save_for_backward({gate_up});
    const int64_t width = gate_up.size(-1) / 2;
    const at::Tensor in = gate_up.reshape({-1, 2 * width}).to(at::kFloat).contiguous();  // [N, 2F]
    at::Tensor out = at::empty({in.size(0), width}, in.options());
    const float* x = in.const_data_ptr<float>();
    float* y = out.data_ptr<float>();
    at::parallel_for(0, in.size(0), 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        rows::silu_mul(x + 2 * i * width, x + (2 * i + 1) * width, y + i * width, width);
    });
    std::vector<int64_t> shape = gate_up.sizes().vec();
    shape.back() = width;
    return out.to(gate_up.scalar_type()).view(shape);
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const at::Tensor gate_up = ctx->get_saved_variables()[0];
    const int64_t width = gate_up.size(-1) / 2;
    const at::Tensor in = gate_up.reshape({-1, 2 * width}).to(at::kFloat).contiguous();
    const at::Tensor dy = grads[0].reshape({-1, width}).to(at::kFloat).contiguous();
    at::Tensor dx = at::empty_like(in);
    const float* x = in.const_data_ptr<float>();
    const float* g = dy.const_data_ptr<float>();
    float* out = dx.data_ptr<float>();
    at::parallel_for(0, in.size(0), 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        rows::silu_mul_grad(x + 2 * i * width, x + (2 * i + 1) * width, g + i * width, out + 2 * i * width,
                            out + (2 * i + 1) * width, width);
    });
    return {dx.to(gate_up.scalar_type()).view(gate_up.sizes())};
  }
};

}  // namespace

at::Tensor activation(const at::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::silu:
      return at::silu(x);
    case Activation::gelu:
      return at::gelu(x);
    case Activation::gelu_tanh:
      return at::gelu(x, "tanh");
    case Activation::relu:
      return at::relu(x);
    case Activation::relu2:
      return at::relu(x).square();
  }
  throw std::logic_error("unknown activation");
}

at::Tensor gated_activation(const at::Tensor& gate_up, Activation kind) {
  if (kind == Activation::silu) return SwigluFunction::apply(gate_up);
  const std::vector<at::Tensor> halves = gate_up.chunk(2, -1);
  return activation(halves[0], kind) * halves[1];
}

}  // namespace mindspeed::kernels
