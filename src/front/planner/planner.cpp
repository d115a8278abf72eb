#include "front/planner/planner.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/command_line.h"
#include "front/features/registry.h"
#include "front/planner/describe.h"
#include "front/planner/fitting.h"
#include "front/planner/io.h"
#include "front/planner/model_choice.h"
#include "front/planner/training.h"

namespace mindspeed {
namespace {

// A dry run without a launcher is planned for --world-size ranks, or for one copy of the model.
int ranks_of(const Settings& settings, const PlannerInputs& inputs) {
  const auto asked = static_cast<int>(settings.integer_or("world-size", 0));
  if (inputs.launched && asked != 0 && asked != inputs.world)
    refuse("--world-size", "{} came, but the launcher started {} ranks", asked, inputs.world);
  if (inputs.launched || !settings.flag("dry-run")) {
    if (asked != 0 && asked != inputs.world)
      refuse("--world-size",
             "{} came without a launcher; use `mindspeed launch --nproc {} -- ...`, or --dry-run", asked,
             asked);
    return inputs.world;
  }
  const int64_t copy =
      settings.integer("tensor-model-parallel-size") * settings.integer("pipeline-model-parallel-size");
  return asked != 0 ? asked : static_cast<int>(copy);
}

void require_room(const Planned& planned, const PlannerInputs& inputs) {
  if (inputs.host_memory == 0 || inputs.local_world > planned.plan.mesh.world()) return;
  uint64_t largest = 0;
  for (const MemoryForecast& stage : planned.memory) largest = std::max(largest, stage.total());
  const uint64_t needed = largest * static_cast<uint64_t>(inputs.local_world);
  if (needed <= inputs.host_memory) return;
  const std::string fits =
      what_would_fit(planned.plan, inputs.host_memory / static_cast<uint64_t>(inputs.local_world));
  refuse("memory", "about {} would be needed for {} rank(s) on this machine, which has {}; {}\n{}",
         human_bytes(needed), inputs.local_world, human_bytes(inputs.host_memory),
         fits.empty()
             ? "no shorter or smaller batch would fit either: it needs a machine with more memory, or several"
             : "this would fit: " + fits,
         describe_memory(planned.memory));
}

}  // namespace

Planned make_plan(const Settings& settings, const PlannerInputs& inputs) {
  require_no_refused(settings);
  Planned out;
  Plan& plan = out.plan;
  const ModelChoice model = choose_model(settings, inputs);
  plan.model = model.spec;
  plan.weights = model.weights;
  plan.model_dir = settings.given("hf-cfg-dir") ? settings.text("hf-cfg-dir") : model.model_dir;

  apply_features(plan, {settings, ranks_of(settings, inputs), out.notes});
  plan.parameters = parameter_table(plan.model, plan.mesh.sequence_parallel);
  plan_length(settings, plan);
  plan_optimizer(settings, plan);
  plan_schedule(settings, plan);
  plan_data(settings, model, plan, out.notes);
  plan_checkpoint(settings, model, plan, out.notes);
  plan_run(settings, plan);
  plan.resolved = resolved_settings(settings, model);

  out.memory = forecast_memory(plan);
  require_room(out, inputs);
  return out;
}

}  // namespace mindspeed
