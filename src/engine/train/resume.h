// Where a run begins and how it is saved: from a native checkpoint, from given weights, or from random
// values.
#pragma once

#include <string>
#include <vector>

#include "engine/ckpt/checkpoint.h"
#include "engine/train/run.h"

namespace mindspeed {

// Sets all values and counters: resumes from plan.checkpoint.load when it holds a complete checkpoint, else
// reads plan.weights, else initialises at random. Returns a line that says which. Collective. Throws Error
// when the checkpoint is damaged or of another model, when ranks see different ones, or when the schedule
// changed without an explicit choice.
std::string begin_run(TrainingRun& run);

// Before any work: the folder of --save can be written and is this run's own. Throws Error (exit code 2) if
// it holds checkpoints of a run that this one does not resume: they would be overwritten one by one.
void check_save_folder(const CheckpointPlan& plan);

// Saves into plan.checkpoint.save, or begins to (see CheckpointSaver). Collective.
void save_run(TrainingRun& run);

// Which schedule a resumed run follows: its own when both agree or override_schedule is set, the checkpoint's
// with use_checkpoint_schedule; else throws Error (exit code 2) naming what differs.
LrPlan choose_schedule(const LrPlan& now, const TextMap& saved, const CheckpointPlan& choice);

}  // namespace mindspeed
