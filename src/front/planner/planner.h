// Settings -> checked Plan. Everything that can be wrong about a request is found here, before any work
// starts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "front/base/file.h"
#include "front/base/json.h"
#include "front/config/settings.h"
#include "front/plan/plan.h"
#include "front/planner/memory.h"

namespace mindspeed {

// What the run that wrote a checkpoint was started from; one of the two is set.
struct CheckpointModel {
  std::string model_dir;  // folder with config.json and tokenizer files, or a .gguf file
  std::string preset;
};

// What the planner cannot know from the settings; the program passes it in.
struct PlannerInputs {
  int world = 1;        // ranks of the run, from the launcher
  int local_world = 1;  // ranks on this machine
  bool launched =
      false;  // a launcher started this process; else --dry-run plans for the ranks that the flags need
  uint64_t host_memory = 0;  // bytes of this machine, 0 = unknown (no refusal for lack of memory)
  bool weights_elsewhere = false;  // the model is on a hub and a dry run left its weights there
  std::function<Json(const fs::path&)> read_model_config;  // config.json of a folder or of a .gguf file
  // Of a folder of native checkpoints; nothing for any other folder.
  std::function<std::optional<CheckpointModel>(const fs::path&)> checkpoint_model;
};

struct Planned {
  Plan plan;
  std::vector<MemoryForecast> memory;  // one per pipeline stage
  std::vector<std::string> notes;      // said once at start-up
};

// Throws Error (exit 2) with all numbers and the legal values for a request that cannot be honoured.
Planned make_plan(const Settings& settings, const PlannerInputs& inputs);

}  // namespace mindspeed
