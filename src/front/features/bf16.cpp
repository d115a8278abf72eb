// Weights and activations in bf16; the optimizer keeps an fp32 master copy, gradients are accumulated in
// fp32.
#include "front/features/registry.h"

namespace mindspeed::feature {

Feature bf16() {
  return {.name = "bf16",
          .description = "bf16 storage with fp32 master weights, gradients and statistics",
          .fields = {"bf16"},
          .active = [](const Settings& settings) { return settings.flag("bf16"); },
          .apply =
              [](Plan& plan, const FeatureContext& context) {
                plan.precision.parameters = context.settings.flag("bf16") ? DType::bf16 : DType::f32;
              }};
}

}  // namespace mindspeed::feature
