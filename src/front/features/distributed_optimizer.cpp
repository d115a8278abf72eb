// Each data-parallel rank owns a range of the master weights and moments, updates it, and the weights are
// gathered.
#include "front/features/registry.h"

namespace mindspeed::feature {

Feature distributed_optimizer() {
  return {.name = "distributed_optimizer",
          .description = "optimizer state cut over the data-parallel ranks",
          .fields = {"use-distributed-optimizer"},
          .active = [](const Settings& settings) { return settings.flag("use-distributed-optimizer"); },
          .apply =
              [](Plan& plan, const FeatureContext& context) {
                plan.optimizer.sharded =
                    context.settings.flag("use-distributed-optimizer") && plan.mesh.dp > 1;
              }};
}

}  // namespace mindspeed::feature
