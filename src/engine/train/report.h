// What one step of training says about itself; the same on every rank except for time and memory.
#pragma once

#include <cstdint>

namespace mindspeed {

struct StepReport {
  int64_t iteration = 0;     // number of this step, from 1
  int64_t global_batch = 0;  // samples of this step
  int64_t consumed_samples = 0;
  double loss = 0.0;                               // per supervised token of the global batch
  double learning_rate = 0.0, weight_decay = 0.0;  // used by this step
  double next_learning_rate = 0.0;                 // of the schedule after this step (what Megatron prints)
  double gradient_norm = 0.0;                      // before clipping
  double loss_scale = 1.0;                         // of the next step (what Megatron prints)
  int64_t supervised_tokens = 0;
  double attended = 0.5;  // share of the score matrix in use, see step_flops
  bool skipped = false;   // not finite: nothing was changed
  double milliseconds = 0.0, tokens_per_second = 0.0, resident_mb = 0.0;
};

}  // namespace mindspeed
