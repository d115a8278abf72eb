#include "engine/kernels/linear.h"

#include <torch/csrc/autograd/custom_function.h>

#include "engine/kernels/cpu/rows.h"
#include "engine/kernels/gemm.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor flat_rows(const at::Tensor& x) { return x.reshape({-1, x.size(-1)}); }

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight,
                          const std::optional<at::Tensor>& main_grad, const std::optional<at::Tensor>& bias) {
    ctx->save_for_backward({x, weight});
    if (main_grad) ctx->saved_data["main_grad"] = *main_grad;
    ctx->saved_data["bias"] = bias.has_value();
    at::Tensor y = matmul_nt(flat_rows(x), weight);  // [N, O]
    if (bias) y.add_(*bias);
    std::vector<int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return y.view(shape);
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor g = flat_rows(grads[0]);  // [N, O]
    variable_list out(4);
    if (ctx->needs_input_grad(0)) out[0] = matmul_nn(g, weight).view(x.sizes());
    if (ctx->needs_input_grad(1)) {
      const auto entry = ctx->saved_data.find("main_grad");
      if (entry != ctx->saved_data.end()) {
        at::Tensor main_grad = entry->second.toTensor();
        accumulate_tn(main_grad, g, flat_rows(x));
      } else {
        at::Tensor dw = at::zeros(weight.sizes(), weight.options().dtype(at::kFloat));
        accumulate_tn(dw, g, flat_rows(x));
        out[1] = dw.to(weight.scalar_type());
      }
    }
    if (ctx->saved_data["bias"].toBool()) out[3] = g.sum(0, false, at::kFloat).to(g.scalar_type());
    return out;
  }
};

// Positions of ids in the local table, -1 where another rank holds the row.
at::Tensor local_ids(const at::Tensor& ids, int64_t begin, int64_t rows) {
  const at::Tensor shifted = ids.reshape({-1}) - begin;
  return at::where(shifted.ge(0).logical_and(shifted.lt(rows)), shifted,
                   at::scalar_tensor(-1, shifted.options()));
}

struct EmbeddingFunction : torch::autograd::Function<EmbeddingFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& ids, const Variable& weight,
                          const std::optional<at::Tensor>& main_grad, int64_t begin) {
    const at::Tensor local = local_ids(ids, begin, weight.size(0));
    ctx->save_for_backward({local, weight});
    if (main_grad) ctx->saved_data["main_grad"] = *main_grad;
    at::Tensor rows = at::index_select(weight, 0, local.clamp_min(0));
    rows.masked_fill_(local.lt(0).unsqueeze(-1), 0.0);
    std::vector<int64_t> shape = ids.sizes().vec();
    shape.push_back(weight.size(1));
    return rows.view(shape);
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &local = saved[0], &weight = saved[1];
    const auto entry = ctx->saved_data.find("main_grad");
    const bool direct = entry != ctx->saved_data.end();
    at::Tensor target =
        direct ? entry->second.toTensor() : at::zeros(weight.sizes(), weight.options().dtype(at::kFloat));
    const at::Tensor g = flat_rows(grads[0]).to(at::kFloat).contiguous();
    // Row by row in order, so that the sums of repeated ids do not depend on threads.
    const int64_t* ids = local.const_data_ptr<int64_t>();
    const int64_t width = g.size(1);
    for (int64_t i = 0; i < local.numel(); ++i)
      if (ids[i] >= 0)
        rows::axpy(target.data_ptr<float>() + ids[i] * width, g.const_data_ptr<float>() + i * width, width,
                   1.0f);
    variable_list out(4);
    if (!direct) out[1] = target.to(weight.scalar_type());
    return out;
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& main_grad,
                  const std::optional<at::Tensor>& bias) {
  return LinearFunction::apply(x, weight, main_grad, bias);
}

at::Tensor embedding(const at::Tensor& ids, const at::Tensor& weight,
                     const std::optional<at::Tensor>& main_grad, int64_t begin) {
  return EmbeddingFunction::apply(ids, weight, main_grad, begin);
}

}  // namespace mindspeed::kernels
