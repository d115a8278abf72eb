// `mindspeed generate` and `mindspeed chat`.
#include "front/planner/generation.h"

#include <fmt/format.h>

#include "apps/mindspeed/commands.h"
#include "front/base/log.h"
#include "front/config/command_line.h"
#include "front/config/help.h"
#include "front/plan/engine_entry.h"
#include "front/planner/describe.h"

namespace mindspeed::app {
namespace {

int run(const Invocation& invocation, bool chat) {
  PlannerInputs inputs = planner_inputs(invocation.environment);
  const Settings settings =
      with_hub_models(parse_settings(kGenerate, invocation.words), invocation.environment, &inputs);
  const Planned planned = make_generation_plan(settings, inputs);
  EngineRequest request{chat ? "chat" : "generate", planned.plan, generate_options(settings, chat),
                        invocation.environment};
  const std::string notes = disposition_notes(settings);
  if (!notes.empty()) log_info("Notes\n{}", notes);
  if (settings.flag("dry-run")) {
    fmt::print("{}: {} layers, hidden {}, {} parameters, weights {}\n", planned.plan.model.family,
               planned.plan.model.layers.size(), planned.plan.model.hidden,
               total_elements(planned.plan.parameters),
               planned.plan.weights.empty() ? planned.plan.checkpoint.load : planned.plan.weights);
    return 0;
  }
  return run_engine(request.command, &request);
}

}  // namespace

int run_generate(const Invocation& invocation) { return run(invocation, false); }
int run_chat(const Invocation& invocation) { return run(invocation, true); }

}  // namespace mindspeed::app
