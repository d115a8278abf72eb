// Weights and activations in fp16; the loss is scaled so that small gradients do not vanish.
#include "front/base/error.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

void apply(Plan& plan, const FeatureContext& context) {
  const Settings& settings = context.settings;
  LossScalePlan& scale = plan.precision.loss_scale;
  if (settings.flag("fp16")) {
    if (settings.flag("bf16")) refuse("--fp16", "it came with --bf16; give one of the two");
    plan.precision.parameters = DType::f16;
    scale.dynamic = true;
    scale.initial = settings.real("initial-loss-scale");
    scale.minimum = settings.real("min-loss-scale");
    scale.window = settings.integer("loss-scale-window");
    scale.hysteresis = settings.integer("hysteresis");
    if (scale.minimum > scale.initial)
      refuse("--min-loss-scale",
             "{} came with --initial-loss-scale {}; the scale cannot start below its minimum", scale.minimum,
             scale.initial);
  }
  if (settings.has("loss-scale")) {
    scale = {};
    scale.initial = settings.real("loss-scale");
  }
}

}  // namespace

Feature fp16() {
  return {
      .name = "fp16",
      .description = "fp16 storage with fp32 master weights and gradients, dynamic or fixed loss scale",
      .fields = {"fp16", "loss-scale", "initial-loss-scale", "min-loss-scale", "loss-scale-window",
                 "hysteresis"},
      .active = [](const Settings& settings) { return settings.flag("fp16") || settings.has("loss-scale"); },
      .apply = apply};
}

}  // namespace mindspeed::feature
