// Everything that a training run holds on one rank, and the step.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/ckpt/saver.h"
#include "engine/comm/mesh.h"
#include "engine/optim/loss_scaler.h"
#include "engine/optim/optimizer.h"
#include "engine/parallel/executor.h"
#include "engine/parallel/gradient_sync.h"
#include "engine/runtime/model.h"
#include "engine/train/objective.h"
#include "engine/train/report.h"
#include "front/plan/plan.h"

namespace mindspeed {

// Where the run stands; saved with it.
struct RunCounters {
  int64_t iteration = 0;  // completed steps
  int64_t consumed_samples = 0;
  int64_t consumed_valid_samples = 0;
  int64_t skipped_steps = 0;      // steps that changed nothing because something was not finite
  int64_t skipped_samples = 0;    // of these steps
  int64_t consecutive_skips = 0;  // not saved
};

struct TrainingRun {
  // Builds model, optimizer and schedule; values are not set yet (see resume.h).
  TrainingRun(const Plan& plan, const Mesh& mesh, std::unique_ptr<Objective> objective);

  Plan plan;  // plan.lr may be replaced by the checkpoint's schedule
  Mesh mesh;
  Model model;
  GradientSync sync;
  Optimizer optimizer;
  LossScaler scaler;
  Executor executor;
  std::unique_ptr<Objective> objective;
  RunCounters counters;
  std::optional<CheckpointSaver>
      saver;  // with plan.checkpoint.save; last, as it reads the memory of the others

  bool sharded() const { return plan.optimizer.sharded && mesh.dp->size() > 1; }
  // Samples that the learning-rate schedule has seen: skipped steps do not advance it.
  int64_t schedule_samples() const { return counters.consumed_samples - counters.skipped_samples; }
};

// One step: data, normaliser, forward and backward, gradient exchange, finite check and clipping, update.
// Collective. A loss or gradient that is not finite changes no weight on any rank. Gradients that overflow
// while a dynamic loss scale is above its minimum skip the step and lower the scale; else the policy of
// plan.run skips the step or throws Error naming step and parameter.
StepReport train_step(TrainingRun& run);

// Mean loss over plan.eval.iterations global batches of the validation samples. Collective. `stop` is asked
// before each batch and must answer alike on all ranks; after a yes there is no result, and the samples count
// as evaluated, so that later evaluations see what they would have seen.
std::optional<double> evaluate(TrainingRun& run, const std::function<bool()>& stop = {});

// Euclidean norm of all weights, each counted once. Collective.
double parameters_norm(const TrainingRun& run);

}  // namespace mindspeed
