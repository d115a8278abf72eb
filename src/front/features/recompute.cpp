// Activations are dropped after the forward pass and recomputed before the backward pass of their layers.
#include "front/base/error.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

constexpr const char* kFlag = "--recompute-granularity";

void apply(Plan& plan, const FeatureContext& context) {
  const Settings& settings = context.settings;
  const std::string granularity = settings.text("recompute-granularity");
  for (const char* detail : {"recompute-method", "recompute-num-layers"})
    if (granularity != "full" && settings.given(detail))
      refuse(kFlag, "--{} came with granularity '{}'; it has an effect only with full", detail, granularity);
  if (granularity.empty()) return;
  if (granularity == "selective") {
    context.notes.emplace_back(
        "--recompute-granularity selective: attention never keeps its scores, nothing is recomputed");
    return;
  }
  plan.recompute.granularity = Recompute::full;
  plan.recompute.method = settings.has("recompute-method") ? settings.text("recompute-method") : "uniform";
  plan.recompute.layers = settings.integer_or("recompute-num-layers", 1);
  const int64_t per_stage = static_cast<int64_t>(plan.model.layers.size()) / plan.mesh.pp;
  if (plan.recompute.layers > per_stage)
    refuse("--recompute-num-layers", "{} came; a stage has {} layers, so 1 to {} was needed",
           plan.recompute.layers, per_stage, per_stage);
}

}  // namespace

Feature recompute() {
  return {.name = "recompute",
          .description = "full activation recomputation, uniform or block",
          .fields = {"recompute-granularity", "recompute-method", "recompute-num-layers"},
          .active = [](const Settings& settings) { return settings.has("recompute-granularity"); },
          .apply = apply};
}

}  // namespace mindspeed::feature
