#include "engine/kernels/cross_entropy.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/kernels/cpu/rows.h"
#include "engine/kernels/gemm.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

constexpr int64_t kChunkBytes = int64_t{64} << 20;  // of fp32 logits per chunk

int64_t chunk_rows(int64_t vocabulary) {
  return std::clamp<int64_t>(kChunkBytes / (4 * vocabulary), 32, 512);
}

// Turns logits [n, V] into probabilities in place and returns nll [n]; padding columns get probability 0.
at::Tensor softmax_nll(at::Tensor& logits, const HeadWeight& head, const at::Tensor& labels) {
  const int64_t n = logits.size(0), width = logits.size(1);
  float* x = logits.data_ptr<float>();
  const int64_t* label = labels.const_data_ptr<int64_t>();
  at::Tensor top = at::empty({n}, logits.options()), total = at::empty_like(top),
             target = at::zeros_like(top);
  float *top_at = top.data_ptr<float>(), *total_at = total.data_ptr<float>(),
        *target_at = target.data_ptr<float>();
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) top_at[i] = rows::maximum(x + i * width, head.valid);
  });
  if (head.reduce.maximum) head.reduce.maximum(top);
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t local = label[i] - head.begin;
      if (local >= 0 && local < head.valid) target_at[i] = x[i * width + local];
      total_at[i] = rows::exp_shifted(x + i * width, head.valid, top_at[i]);
      std::fill(x + i * width + head.valid, x + (i + 1) * width, 0.0f);
    }
  });
  if (head.reduce.sum) {
    head.reduce.sum(total);
    head.reduce.sum(target);
  }
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) rows::scale(x + i * width, width, 1.0f / total_at[i]);
  });
  return top + total.log() - target;
}

struct Logits {
  at::Tensor values;  // [n, V] fp32
  at::Tensor slope;   // d logits / d raw when soft-capped, else undefined
};

Logits head_logits(const at::Tensor& hidden, const at::Tensor& table, const HeadWeight& head) {
  at::Tensor raw = matmul_nt(hidden, table).to(at::kFloat);
  if (head.scale != 1.0) raw.mul_(head.scale);
  if (head.soft_cap == 0.0) return {raw, at::Tensor()};
  const at::Tensor t = (raw / head.soft_cap).tanh_();
  return {t * head.soft_cap, 1.0 - t * t};
}

// probabilities -> gradient of the raw logits: loss scale * scale * weight_i * (p - onehot), times the
// soft-cap's slope.
void logits_grad(const Logits& logits, const HeadWeight& head, const at::Tensor& labels,
                 const at::Tensor& weights, double loss_scale) {
  const int64_t width = logits.values.size(1);
  float* p = logits.values.data_ptr<float>();
  const int64_t* label = labels.const_data_ptr<int64_t>();
  const float* w = weights.const_data_ptr<float>();
  at::parallel_for(0, logits.values.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t local = label[i] - head.begin;
      if (local >= 0 && local < head.valid) p[i * width + local] -= 1.0f;
      rows::scale(p + i * width, width, w[i] * static_cast<float>(head.scale * loss_scale));
    }
  });
  if (logits.slope.defined()) const_cast<at::Tensor&>(logits.values).mul_(logits.slope);
}

struct CrossEntropyFunction : torch::autograd::Function<CrossEntropyFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& hidden, const Variable& weight,
                          const HeadWeight* head, const Variable& labels, const Variable& row_weights,
                          double loss_scale, bool with_gradient) {
    const at::Tensor rows_used = row_weights.nonzero().squeeze(1);  // [M]
    const at::Tensor used = hidden.index_select(0, rows_used), label = labels.index_select(0, rows_used);
    const at::Tensor w = row_weights.index_select(0, rows_used);
    const int64_t count = rows_used.size(0), step = chunk_rows(weight.size(0));
    at::Tensor grad_used = with_gradient ? at::empty_like(used) : at::Tensor();
    const at::Tensor table = matmul_operand(weight);  // once for all chunks
    double loss = 0.0;
    for (int64_t i = 0; i < count; i += step) {
      const int64_t n = std::min(step, count - i);
      const at::Tensor h = used.narrow(0, i, n), l = label.narrow(0, i, n), wi = w.narrow(0, i, n);
      Logits logits = head_logits(h.to(table.scalar_type()), table, *head);
      loss += softmax_nll(logits.values, *head, l).mul_(wi).sum(at::kDouble).item<double>();
      if (!with_gradient) continue;
      logits_grad(logits, *head, l, wi, loss_scale);
      grad_used.narrow(0, i, n).copy_(matmul_nn(logits.values.to(table.scalar_type()), table));
      if (head->main_grad) {
        at::Tensor main_grad = *head->main_grad;
        main_grad.addmm_(logits.values.t(), h.to(at::kFloat));
      }
    }
    if (with_gradient) {
      at::Tensor grad = at::zeros_like(hidden);
      grad.index_copy_(0, rows_used, grad_used);
      ctx->saved_data["grad"] = grad;
      ctx->saved_data["loss_scale"] = loss_scale;
    }
    return at::scalar_tensor(loss, hidden.options().dtype(at::kFloat));
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    variable_list out(7);
    if (grads[0].item<double>() != ctx->saved_data["loss_scale"].toDouble())
      throw std::logic_error("cross entropy: backward must start from the loss scale that forward was given");
    out[0] = ctx->saved_data["grad"].toTensor();
    return out;
  }
};

}  // namespace

at::Tensor linear_cross_entropy(const at::Tensor& hidden, const HeadWeight& head, const at::Tensor& labels,
                                const at::Tensor& row_weights, double loss_scale) {
  const bool with_gradient =
      at::GradMode::is_enabled() && (hidden.requires_grad() || head.weight.requires_grad());
  return CrossEntropyFunction::apply(hidden, head.weight, &head, labels, row_weights, loss_scale,
                                     with_gradient);
}

at::Tensor token_nll(const at::Tensor& hidden, const HeadWeight& head, const at::Tensor& labels) {
  at::AutoDispatchBelowADInplaceOrView guard;
  at::Tensor out = at::empty({hidden.size(0)}, hidden.options().dtype(at::kFloat).requires_grad(false));
  const int64_t step = chunk_rows(head.weight.size(0));
  const at::Tensor table = matmul_operand(head.weight);
  for (int64_t i = 0; i < hidden.size(0); i += step) {
    const int64_t n = std::min(step, hidden.size(0) - i);
    Logits logits = head_logits(hidden.narrow(0, i, n).to(table.scalar_type()), table, head);
    out.narrow(0, i, n).copy_(softmax_nll(logits.values, head, labels.narrow(0, i, n)));
  }
  return out;
}

}  // namespace mindspeed::kernels
