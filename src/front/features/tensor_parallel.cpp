// Tensor parallelism: heads, feed-forward channels and vocabulary rows are cut over ranks.
#include <numeric>
#include <variant>

#include "front/base/error.h"
#include "front/features/divide.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

struct Cut {
  const char* what;
  int64_t count;
};

// What one layer has to cut.
std::vector<Cut> cuts_of(const LayerSpec& layer) {
  std::vector<Cut> out;
  for (const BranchSpec& branch : layer.branches) {
    if (const auto* attention = std::get_if<AttentionSpec>(&branch.op)) {
      out.push_back({"attention heads", attention->heads});
      out.push_back({"key/value heads", attention->kv_heads});
    } else if (const auto* dense = std::get_if<DenseSpec>(&branch.op)) {
      out.push_back({"feed-forward channels", dense->ffn});
    }
  }
  return out;
}

void require_divisible(const ModelSpec& model, int64_t tp) {
  for (const LayerSpec& layer : model.layers) {
    const std::vector<Cut> cuts = cuts_of(layer);
    for (const Cut& cut : cuts) {
      if (cut.count % tp == 0) continue;
      int64_t common = 0;
      for (const Cut& other : cuts) common = std::gcd(common, other.count);
      refuse(
          "--tensor-model-parallel-size",
          "{} came; the model has {} {}, which divide by {}; a size that fits all of the model is one of {}",
          tp, cut.count, cut.what, divisor_list(cut.count), divisor_list(common));
    }
  }
}

// Vocabulary rows of the layout: Megatron pads to a multiple of make-vocab-size-divisible-by x TP.
int64_t padded_vocabulary(const Plan& plan, const Settings& settings) {
  const int64_t multiple = settings.integer("make-vocab-size-divisible-by") * plan.mesh.tp;
  const int64_t by_rule = (plan.model.vocab + multiple - 1) / multiple * multiple;
  if (!settings.has("padded-vocab-size")) return by_rule;
  const int64_t given = settings.integer("padded-vocab-size");
  if (given < plan.model.vocab || given % plan.mesh.tp != 0)
    refuse("--padded-vocab-size",
           "{} came; at least the vocabulary of {} and a multiple of tensor-model-parallel-size {} was "
           "needed; the "
           "padding rule gives {}",
           given, plan.model.vocab, plan.mesh.tp, by_rule);
  if (settings.given("make-vocab-size-divisible-by") && given != by_rule)
    refuse("--padded-vocab-size",
           "{} came, but vocabulary {} padded to a multiple of make-vocab-size-divisible-by {} x TP {} is "
           "{}; drop one "
           "of the two flags",
           given, plan.model.vocab, settings.integer("make-vocab-size-divisible-by"), plan.mesh.tp, by_rule);
  return given;
}

void apply(Plan& plan, const FeatureContext& context) {
  const int64_t tp = context.settings.integer("tensor-model-parallel-size");
  require_divisible(plan.model, tp);
  plan.mesh.tp = static_cast<int>(tp);
  plan.padded_vocab = padded_vocabulary(plan, context.settings);
}

}  // namespace

Feature tensor_parallel() {
  return {
      .name = "tensor_parallel",
      .description = "each layer cut over ranks: heads, feed-forward channels, vocabulary",
      .fields = {"tensor-model-parallel-size", "make-vocab-size-divisible-by", "padded-vocab-size"},
      .active = [](const Settings& settings) { return settings.integer("tensor-model-parallel-size") > 1; },
      .apply = apply};
}

}  // namespace mindspeed::feature
