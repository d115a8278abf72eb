#include "engine/optim/optimizer.h"

#include <cmath>
#include <stdexcept>

#include "engine/optim/update_kernels.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

void check(const OptimRange& range) {
  const at::ScalarType type = range.value.scalar_type();
  if ((type != at::kFloat && type != at::kBFloat16 && type != at::kHalf) ||
      range.gradient.scalar_type() != at::kFloat)
    throw std::logic_error("optimizer: " + range.name +
                           ": values must be fp32, bf16 or fp16, gradients fp32");
  if (range.value.dim() != 1 || range.value.numel() != range.gradient.numel() ||
      !range.value.is_contiguous() || !range.gradient.is_contiguous())
    throw std::logic_error("optimizer: " + range.name +
                           ": ranges must be flat, contiguous and of one length");
}

}  // namespace

Optimizer::Optimizer(const OptimizerPlan& plan, std::vector<OptimRange> ranges)
    : plan_(plan), ranges_(std::move(ranges)) {
  if (plan.kind != "adamw" && plan.kind != "adam" && plan.kind != "sgd")
    refuse("optimizer", "'{}' does not exist; choose adamw or sgd", plan.kind);
  adam_ = plan.kind != "sgd";
  int64_t total = 0;
  for (const OptimRange& range : ranges_) {
    check(range);
    starts_.push_back(total);
    total += range.value.numel();
    has_master_ |= range.value.scalar_type() != at::kFloat;
  }
  const auto zeros = [&] { return at::zeros({total}, at::kFloat); };
  if (has_master_) master_ = zeros();
  if (adam_ || plan.momentum != 0.0) first_ = zeros();
  if (adam_) second_ = zeros();
  adopt_values();
}

at::Tensor Optimizer::flat_view(const at::Tensor& flat, size_t range) const {
  return flat.narrow(0, starts_[range], ranges_[range].value.numel());
}

float* Optimizer::weights(size_t range) const {
  return has_master_ ? master_.data_ptr<float>() + starts_[range] : ranges_[range].value.data_ptr<float>();
}

void Optimizer::adopt_values() {
  if (!has_master_) return;
  for (size_t i = 0; i < ranges_.size(); ++i) flat_view(master_, i).copy_(ranges_[i].value);
}

void Optimizer::publish_masters() {
  if (!has_master_) return;
  for (size_t i = 0; i < ranges_.size(); ++i) publish_master(i);
}

void Optimizer::publish_master(size_t range) {
  at::Tensor& value = ranges_[range].value;
  if (value.scalar_type() == at::kBFloat16)
    round_to_bf16(weights(range), static_cast<uint16_t*>(value.data_ptr()), value.numel());
  else
    value.copy_(flat_view(master_, range));
}

void Optimizer::step(double lr, double weight_decay, double gradient_scale) {
  steps_ += 1;
  const double t = static_cast<double>(steps_);
  AdamStep adam{};
  adam.gradient_scale = static_cast<float>(gradient_scale);
  adam.beta1 = static_cast<float>(plan_.beta1);
  adam.beta2 = static_cast<float>(plan_.beta2);
  adam.eps = static_cast<float>(plan_.eps);
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(plan_.beta1, t)));
  adam.root_correction = static_cast<float>(std::sqrt(1.0 - std::pow(plan_.beta2, t)));
  SgdStep sgd{static_cast<float>(gradient_scale), static_cast<float>(lr), static_cast<float>(plan_.momentum),
              0.0f, steps_ == 1};
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const OptimRange& range = ranges_[i];
    const int64_t n = range.value.numel();
    const double decay = range.decay ? weight_decay : 0.0;
    const float* gradient = range.gradient.data_ptr<float>();
    if (adam_) {
      adam.decay_factor = static_cast<float>(1.0 - lr * decay);
      adamw_update(weights(i), gradient, first_.data_ptr<float>() + starts_[i],
                   second_.data_ptr<float>() + starts_[i], n, adam);
    } else {
      sgd.weight_decay = static_cast<float>(decay);
      sgd_update(weights(i), gradient, first_.defined() ? first_.data_ptr<float>() + starts_[i] : nullptr, n,
                 sgd);
    }
    if (has_master_) publish_master(i);
  }
}

std::vector<OptimState> Optimizer::states() const {
  std::vector<OptimState> states;
  const auto add = [&](const char* group, const at::Tensor& flat) {
    if (!flat.defined()) return;
    for (size_t i = 0; i < ranges_.size(); ++i) states.push_back({group, i, flat_view(flat, i)});
  };
  add("master", master_);
  add(adam_ ? "exp_avg" : "momentum", first_);
  add("exp_avg_sq", second_);
  return states;
}

}  // namespace mindspeed
