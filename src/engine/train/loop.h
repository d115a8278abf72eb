// The training loop: steps, evaluation, saving, stopping, export.
#pragma once

#include "engine/comm/mesh.h"
#include "engine/train/run.h"
#include "front/plan/plan.h"

namespace mindspeed {

enum class RunEnd {
  finished,       // all steps are done
  signal,         // SIGTERM or SIGINT
  exit_interval,  // --exit-interval
  exit_duration,  // --exit-duration-in-mins
};

struct LoopOptions {
  bool terminal = false;  // stderr shows a live line
};

// Begins (see begin_run) and runs until the last step or a request to stop, on which all ranks agree; saves
// whatever the reason and exports at the end. Collective.
RunEnd train_loop(TrainingRun& run, const LoopOptions& options);

// Pre-training from a Plan; the engine's `pretrain`. Returns the exit code.
int pretrain(const Plan& plan, const Mesh& mesh, const LoopOptions& options);

}  // namespace mindspeed
