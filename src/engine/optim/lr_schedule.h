// Learning rate and weight decay as functions of the samples consumed so far. Torch-free.
// Source: Megatron-Core's OptimizerParamScheduler; values equal tests/golden/megatron/optim.
#pragma once

#include <cstdint>

#include "front/plan/plan.h"

namespace mindspeed {

// Throws Error (exit code 2) on an unknown style or on horizons that contradict each other.
void check_lr_plan(const LrPlan& plan);

// Learning rate of the step that starts when `samples` samples have been consumed: warm-up from warmup_init
// to lr, then the chosen decay to min_lr. With a warm-up from 0 the first step has rate 0, as in Megatron.
double learning_rate_at(const LrPlan& plan, int64_t samples);

// Weight decay of that step: from start_weight_decay to end_weight_decay over weight_decay_samples.
double weight_decay_at(const LrPlan& plan, int64_t samples);

}  // namespace mindspeed
