// What the planner is told about this machine.
#include <nlohmann/json.hpp>

#include "apps/mindspeed/commands.h"
#include "front/base/machine.h"
#include "front/convert/native/native_source.h"
#include "front/convert/open.h"

namespace mindspeed::app {
PlannerInputs planner_inputs(const EnvironmentMap& environment) {
  const RankEnvironment rank = rank_environment(environment);
  PlannerInputs inputs;
  inputs.world = rank.world;
  inputs.local_world = rank.local_world;
  inputs.launched = rank.launcher != "none";
  inputs.host_memory = machine_memory();
  inputs.read_model_config = load_model_config;
  inputs.checkpoint_model = [](const fs::path& path) -> std::optional<CheckpointModel> {
    if (!is_native_checkpoint(path)) return std::nullopt;
    const ModelOrigin origin = native_origin(path);
    return CheckpointModel{origin.model_dir.string(), origin.preset};
  };
  return inputs;
}

}  // namespace mindspeed::app
