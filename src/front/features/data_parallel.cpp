// Data parallelism: the ranks that tensor and pipeline parallelism leave over; the global batch is cut over
// them.
#include "front/base/error.h"
#include "front/features/divide.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

void set_degree(Plan& plan, int world) {
  const int each = plan.mesh.tp * plan.mesh.cp * plan.mesh.pp;
  if (world % each != 0)
    refuse("world size",
           "{} ranks came; tensor {} x context {} x pipeline {} = {} ranks hold one copy of the model, so a "
           "multiple of {} "
           "was needed; start them with `mindspeed launch --nproc {} -- ...`",
           world, plan.mesh.tp, plan.mesh.cp, plan.mesh.pp, each, each, each);
  plan.mesh.dp = world / each;
}

void set_batch(Plan& plan, const Settings& settings) {
  plan.batch.micro = settings.integer("micro-batch-size");
  const int64_t step = plan.batch.micro * plan.mesh.dp;
  plan.batch.global = settings.integer_or("global-batch-size", step);
  if (plan.batch.global % step != 0) {
    const int64_t below = plan.batch.global / step * step;
    refuse("--global-batch-size",
           "{} came; a multiple of micro-batch-size {} x data parallel {} = {} was needed, as {}{}",
           plan.batch.global, plan.batch.micro, plan.mesh.dp, step,
           below > 0 ? fmt::format("{} or ", below) : "", below + step);
  }
  plan.batch.micro_batches = plan.batch.global / step;
}

void apply(Plan& plan, const FeatureContext& context) {
  set_degree(plan, context.world);
  set_batch(plan, context.settings);
}

}  // namespace

Feature data_parallel() {
  return {.name = "data_parallel",
          .description = "copies of the model on the ranks that are left, each with a part of the batch",
          .fields = {"micro-batch-size", "global-batch-size"},
          .active = [](const Settings&) { return true; },
          .apply = apply};
}

}  // namespace mindspeed::feature
