#include "engine/optim/gradient_norm.h"

#include <cmath>

#include "engine/optim/update_kernels.h"

namespace mindspeed {
namespace {

double squares(const OptimRange& range) {
  return sum_of_squares(range.gradient.data_ptr<float>(), range.gradient.numel());
}

}  // namespace

GradientNorm gradient_norm(const std::vector<OptimRange>& ranges, const Mesh& mesh, bool sharded) {
  double counted = 0.0;
  bool finite = true;
  for (const OptimRange& range : ranges) {
    const double sum = squares(range);
    finite &= std::isfinite(sum);
    if (range.counted) counted += sum;
  }
  // A NaN must not reach the sum on some ranks only, so the flag travels by itself.
  at::Tensor bad = at::full({1}, finite ? 0.0 : 1.0, at::kDouble);
  mesh.world->all_reduce(bad, ReduceOp::max);
  at::Tensor total = at::full({1}, finite ? counted : 0.0, at::kDouble);
  mesh.model->all_reduce(total);
  if (sharded) mesh.dp->all_reduce(total);
  return {std::sqrt(total.item<double>()), bad.item<double>() == 0.0};
}

double clip_coefficient(double norm, double max_norm) {
  if (max_norm <= 0.0) return 1.0;
  const double coefficient = max_norm / (norm + 1e-6);
  return coefficient < 1.0 ? coefficient : 1.0;
}

std::string first_non_finite(const std::vector<OptimRange>& ranges) {
  for (const OptimRange& range : ranges)
    if (!std::isfinite(squares(range))) return range.name;
  return {};
}

}  // namespace mindspeed
