// Sequence parallelism: norms, dropout and the residual stream on 1/TP of the tokens.
#include "front/base/error.h"
#include "front/features/divide.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

void apply(Plan& plan, const FeatureContext& context) {
  plan.mesh.sequence_parallel = context.settings.flag("sequence-parallel") && plan.mesh.tp > 1;
  if (context.settings.flag("sequence-parallel") && plan.mesh.tp == 1)
    context.notes.emplace_back("--sequence-parallel: nothing to cut at tensor-model-parallel-size 1");
  if (!plan.mesh.sequence_parallel) return;
  const int64_t sequence = context.settings.integer_or("seq-length", plan.model.max_position);
  if (sequence % plan.mesh.tp != 0)
    refuse("--sequence-parallel",
           "sequences of {} tokens do not divide over tensor-model-parallel-size {}; use one of {}", sequence,
           plan.mesh.tp, divisor_list(sequence));
}

}  // namespace

Feature sequence_parallel() {
  return {.name = "sequence_parallel",
          .description = "residual stream and norms on 1/TP of the tokens (nothing at TP 1)",
          .fields = {"sequence-parallel"},
          .active = [](const Settings& settings) { return settings.flag("sequence-parallel"); },
          .apply = apply};
}

}  // namespace mindspeed::feature
