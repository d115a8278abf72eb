#include "engine/nn/layers.h"

#include "engine/comm/collectives.h"
#include "engine/kernels/linear.h"
#include "engine/kernels/norm.h"

namespace mindspeed {

Linear::Linear(BuildContext& build, const std::string& name, Cut cut)
    : weight_(&build.bind(name + ".weight")),
      cut_(cut),
      tp_(build.mesh.tp),
      sequence_parallel_(build.mesh.degrees.sequence_parallel) {
  if (build.parameters.has(name + ".bias")) bias_ = &build.bind(name + ".bias");
}

at::Tensor Linear::forward(const at::Tensor& x) const {
  const std::optional<at::Tensor> bias = bias_ != nullptr ? std::optional(bias_->value) : std::nullopt;
  if (cut_ == Cut::column) {
    const at::Tensor in = sequence_parallel_ ? gather_to_group(x, 1, tp_) : copy_to_group(x, tp_);
    return kernels::linear(in, weight_->value, weight_->main_grad, bias);
  }
  if (tp_->size() == 1) return kernels::linear(x, weight_->value, weight_->main_grad, bias);
  const at::Tensor part = kernels::linear(x, weight_->value, weight_->main_grad);
  const at::Tensor y =
      sequence_parallel_ ? scatter_reduce_from_group(part, 1, tp_) : reduce_from_group(part, tp_);
  return bias ? y + *bias : y;
}

Norm::Norm(BuildContext& build, const std::string& name, const NormSpec& spec)
    : spec_(spec), weight_(&build.bind(name + ".weight")) {
  if (spec.bias) bias_ = &build.bind(name + ".bias");
}

at::Tensor Norm::forward(const at::Tensor& x) const {
  if (spec_.kind == NormKind::rms) return kernels::rms_norm(x, weight_->value, spec_.eps, spec_.unit_offset);
  return kernels::layer_norm(x, weight_->value, bias_ != nullptr ? std::optional(bias_->value) : std::nullopt,
                             spec_.eps);
}

std::optional<Norm> optional_norm(BuildContext& build, const std::string& name,
                                  const std::optional<NormSpec>& spec) {
  if (!spec) return std::nullopt;
  return Norm(build, name, *spec);
}

}  // namespace mindspeed
