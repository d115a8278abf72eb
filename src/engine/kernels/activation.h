// Activations of feed-forward layers.
#pragma once

#include <ATen/ATen.h>

#include "front/plan/model_spec.h"

namespace mindspeed::kernels {

// gate_up [..., 2F] (gate first) -> act(gate) * up, [..., F].
at::Tensor gated_activation(const at::Tensor& gate_up, Activation activation);

at::Tensor activation(const at::Tensor& x, Activation activation);

}  // namespace mindspeed::kernels
