// Which model a request means.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "front/config/settings.h"
#include "front/plan/model_spec.h"
#include "front/planner/planner.h"

namespace mindspeed {

struct ModelChoice {
  ModelSpec spec;
  std::string weights;    // Hugging Face folder or .gguf file to start from; empty = random
  std::string model_dir;  // folder with config.json and tokenizer files, or the .gguf file; may be empty
  std::string preset;     // its name, when that is where the model comes from
  std::string origin;     // for messages: a path, "--preset NAME", "the command line"
  bool load_is_weights = false;  // --load named a Hugging Face folder: there is no checkpoint to resume
};

// --model DIR, --preset NAME, a Hugging Face folder in --load, or architecture flags; exactly one of the
// first three. With none of them, the model of the checkpoint in --load. Flags that describe the architecture
// must agree with it; given dropouts and --init-method-std override it. Throws Error (exit 2).
ModelChoice choose_model(const Settings& settings, const PlannerInputs& inputs);

// Every setting for the record of a run, with the model under a name that holds in any folder.
std::map<std::string, std::string> resolved_settings(const Settings& settings, const ModelChoice& model);

}  // namespace mindspeed
