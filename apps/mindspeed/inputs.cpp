// What the planner is told about this machine.
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "apps/mindspeed/commands.h"
#include "front/base/file.h"
#include "front/convert/native/native_source.h"
#include "front/convert/open.h"

namespace mindspeed::app {
namespace {

// Physical memory, or the limit of the control group that we run in when that is smaller.
uint64_t host_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : 0;
  const fs::path limit_file = "/sys/fs/cgroup/memory.max";
  if (!fs::exists(limit_file)) return bytes;
  const std::string text = read_file(limit_file);
  uint64_t limit = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), limit).ec == std::errc() && limit < bytes)
    bytes = limit;
  return bytes;
}

}  // namespace

PlannerInputs planner_inputs(const EnvironmentMap& environment) {
  const RankEnvironment rank = rank_environment(environment);
  PlannerInputs inputs;
  inputs.world = rank.world;
  inputs.local_world = rank.local_world;
  inputs.launched = rank.launcher != "none";
  inputs.host_memory = host_memory();
  inputs.read_model_config = load_model_config;
  inputs.checkpoint_model = [](const fs::path& path) -> std::optional<CheckpointModel> {
    if (!is_native_checkpoint(path)) return std::nullopt;
    const ModelOrigin origin = native_origin(path);
    return CheckpointModel{origin.model_dir.string(), origin.preset};
  };
  return inputs;
}

}  // namespace mindspeed::app
