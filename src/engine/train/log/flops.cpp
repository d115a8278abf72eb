#include "engine/train/log/flops.h"

namespace mindspeed {
namespace {

struct PerToken {
  double weights = 0.0, core = 0.0;
};

// 6 = forward and two backward products, each a multiply and an add.
void add(PerToken& sum, const AttentionSpec& a, double hidden, double sequence, double attended) {
  const auto width = static_cast<double>(a.heads * a.head_dim),
             kv = static_cast<double>(a.kv_heads * a.head_dim);
  sum.weights += 6.0 * hidden * (2.0 * width + 2.0 * kv);
  sum.core += 12.0 * sequence * attended * width;
}

void add(PerToken& sum, const DenseSpec& d, double hidden, double, double) {
  sum.weights += 6.0 * hidden * static_cast<double>(d.ffn) * (d.gated ? 3.0 : 2.0);
}

}  // namespace

StepFlops step_flops(const ModelSpec& model, int64_t samples, int64_t sequence, double attended) {
  PerToken sum;
  const auto hidden = static_cast<double>(model.hidden);
  for (const LayerSpec& layer : model.layers)
    for (const BranchSpec& branch : layer.branches)
      std::visit([&](const auto& op) { add(sum, op, hidden, static_cast<double>(sequence), attended); },
                 branch.op);
  sum.weights += 6.0 * hidden * static_cast<double>(model.vocab);
  const double tokens = static_cast<double>(samples) * static_cast<double>(sequence);
  return {tokens * (sum.weights + sum.core), tokens * sum.core};
}

}  // namespace mindspeed
