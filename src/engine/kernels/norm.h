// Normalisation over the last dimension; statistics in fp32 whatever the storage dtype.
#pragma once

#include <ATen/ATen.h>

#include <optional>

namespace mindspeed::kernels {

// RMSNorm (Zhang & Sennrich 2019): y = x / sqrt(mean(x^2) + eps) * w, with w + 1 for unit_offset (Gemma). x
// [..., H], w [H].
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps, bool unit_offset = false);

// LayerNorm: y = (x - mean) / sqrt(var + eps) * w + b. x [..., H], w and b [H].
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                      double eps);

}  // namespace mindspeed::kernels
