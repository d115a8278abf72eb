// Batch, optimizer and schedule: fractions and steps resolved to samples, as Megatron counts.
#pragma once

#include "front/config/settings.h"
#include "front/plan/plan.h"

namespace mindspeed {

// Sequence length and number of steps. Needs plan.model and plan.batch.global. Throws Error (exit 2).
void plan_length(const Settings& settings, Plan& plan);

// Optimizer kind and constants.
void plan_optimizer(const Settings& settings, Plan& plan);

// Learning rate and weight decay over the run. Needs plan.batch. Throws Error (exit 2) with the numbers when
// the warm-up does not fit into the decay, and for rates that contradict each other.
void plan_schedule(const Settings& settings, Plan& plan);

}  // namespace mindspeed
