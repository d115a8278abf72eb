// How many samples a step has: constant, or growing at the start of the run (--rampup-batch-size).
// Source: Megatron's RampupBatchsizeNumMicroBatchesCalculator (megatron/core/num_microbatches_calculator.py).
#pragma once

#include <cstdint>

#include "front/plan/plan.h"

namespace mindspeed {

// Samples, and micro-batches per data-parallel rank, of the step that begins after `consumed` samples.
int64_t global_batch_at(const BatchPlan& batch, int64_t consumed);
int64_t micro_batches_at(const BatchPlan& batch, int64_t consumed);

// Steps of a run over `samples` samples: growing batches while the ramp lasts, then whole global batches; a
// last partial one is left out (Megatron's update_train_iters).
int64_t steps_for(const BatchPlan& batch, int64_t samples);

// Samples that the training part of the data set is made for: --train-samples, else steps x global batch.
int64_t training_samples(const BatchPlan& batch);

}  // namespace mindspeed
