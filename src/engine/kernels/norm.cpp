#include "engine/kernels/norm.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "engine/kernels/cpu/rows.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

constexpr int64_t kRowGrain = 16;

struct RmsNormFunction : torch::autograd::Function<RmsNormFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight, double eps,
                          double offset) {
    const int64_t width = x.size(-1);
    const at::Tensor rows_in = x.reshape({-1, width}).to(at::kFloat).contiguous();  // [N, H]
    const at::Tensor w = weight.to(at::kFloat);
    const int64_t n = rows_in.size(0);
    at::Tensor y = at::empty({n, width}, rows_in.options());
    at::Tensor inverse = at::empty({n}, rows_in.options());
    const float* in = rows_in.const_data_ptr<float>();
    const float* scale = w.const_data_ptr<float>();
    float* out = y.data_ptr<float>();
    float* inverse_rms = inverse.data_ptr<float>();
    at::parallel_for(0, n, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* row = in + i * width;
        inverse_rms[i] = 1.0f / std::sqrt(rows::dot(row, row, width) / static_cast<float>(width) +
                                          static_cast<float>(eps));
        rows::rms_normalise(row, scale, out + i * width, width, inverse_rms[i], static_cast<float>(offset));
      }
    });
    ctx->save_for_backward({x, weight, inverse});
    ctx->saved_data["offset"] = offset;
    return y.to(x.scalar_type()).view(x.sizes());
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &inverse = saved[2];
    const auto offset = static_cast<float>(ctx->saved_data["offset"].toDouble());
    const int64_t width = x.size(-1);
    const at::Tensor rows_in = x.reshape({-1, width}).to(at::kFloat).contiguous();
    const at::Tensor w = weight.to(at::kFloat);
    const at::Tensor dy = grads[0].reshape({-1, width}).to(at::kFloat).contiguous();
    const int64_t n = rows_in.size(0);
    at::Tensor dx = at::empty_like(rows_in);
    // Partial weight gradients per fixed slice of rows, so that the result does not depend on the thread
    // count.
    const int64_t slices = std::min<int64_t>(n, 16);
    at::Tensor partial = at::zeros({slices, width}, rows_in.options());
    at::parallel_for(0, slices, 1, [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s)
        for (int64_t i = s * n / slices; i < (s + 1) * n / slices; ++i)
          rows::rms_normalise_grad(rows_in.const_data_ptr<float>() + i * width, w.const_data_ptr<float>(),
                                   dy.const_data_ptr<float>() + i * width, dx.data_ptr<float>() + i * width,
                                   partial.data_ptr<float>() + s * width, width,
                                   inverse.const_data_ptr<float>()[i], offset);
    });
    return {dx.to(x.scalar_type()).view(x.sizes()), partial.sum(0).to(weight.scalar_type()), Variable(),
            Variable()};
  }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps, bool unit_offset) {
  return RmsNormFunction::apply(x, weight, eps, unit_offset ? 1.0 : 0.0);
}

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                      double eps) {
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor b = bias ? bias->to(at::kFloat) : at::Tensor();
  return at::layer_norm(wide, {x.size(-1)}, weight.to(at::kFloat), b, eps).to(x.scalar_type());
}

}  // namespace mindspeed::kernels
