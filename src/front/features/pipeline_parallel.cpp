// Pipeline parallelism: an even run of layers per stage; the first holds the embedding, the last the head.
#include "front/base/error.h"
#include "front/features/divide.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

void apply(Plan& plan, const FeatureContext& context) {
  const int64_t pp = context.settings.integer("pipeline-model-parallel-size");
  const auto layers = static_cast<int64_t>(plan.model.layers.size());
  if (layers % pp != 0)
    refuse("--pipeline-model-parallel-size", "{} layers over {} stages leave {} over; use one of {}", layers,
           pp, layers % pp, divisor_list(layers));
  plan.mesh.pp = static_cast<int>(pp);
  plan.schedule = "1f1b";
  plan.placement.clear();
  const auto each = static_cast<int>(layers / pp);
  for (int stage = 0; stage < plan.mesh.pp; ++stage)
    plan.placement.push_back({.stage = stage,
                              .chunk = 0,
                              .first_layer = stage * each,
                              .layers = each,
                              .embedding = stage == 0,
                              .head = stage + 1 == plan.mesh.pp});
}

}  // namespace

Feature pipeline_parallel() {
  return {
      .name = "pipeline_parallel",
      .description = "an even run of layers per stage, 1F1B schedule",
      .fields = {"pipeline-model-parallel-size"},
      .active = [](const Settings& settings) { return settings.integer("pipeline-model-parallel-size") > 1; },
      .apply = apply};
}

}  // namespace mindspeed::feature
