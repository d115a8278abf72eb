// Training runs on the debug preset for tests: one rank, one thread, synthetic data or a golden data set.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/train/run.h"
#include "front/plan/plan.h"

namespace mindspeed::test {

// qwen3's debug preset, fp32, 6 samples of 32 tokens per step in 3 micro-batches, 20 steps, AdamW at 3e-3
// with a cosine over the whole run. Sets torch to one thread.
Plan debug_plan(const MeshDegrees& mesh = {});

// The same on the golden data set "set_a" (ids below 1000, several epochs within the run), with dropout in
// attention and hidden states.
Plan debug_plan_on_files();

// Everything that the optimizer and the model hold, by name, for comparison to the bit.
using Snapshot = std::map<std::string, at::Tensor>;
Snapshot snapshot(TrainingRun& run);
bool equal(const Snapshot& a, const Snapshot& b);

// Pre-training objective that calls `touch` on every context before it is used.
std::unique_ptr<Objective> touched_objective(const Plan& plan, const Mesh& mesh,
                                             std::function<void(int64_t k, StepContext&)> touch);

// A run that has begun (random or loaded values).
std::unique_ptr<TrainingRun> begin(const Plan& plan);

}  // namespace mindspeed::test
