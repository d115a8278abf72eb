#include "front/plan/batch_schedule.h"

namespace mindspeed {

int64_t global_batch_at(const BatchPlan& batch, int64_t consumed) {
  const RampupPlan& ramp = batch.rampup;
  if (ramp.start == 0 || consumed > ramp.samples) return batch.global;
  const int64_t increments = (batch.global - ramp.start) / ramp.increment;
  // In floating point, as Megatron counts: the rounding decides at which step an increment falls.
  const double samples_each = static_cast<double>(ramp.samples) / static_cast<double>(increments);
  return ramp.start + static_cast<int64_t>(static_cast<double>(consumed) / samples_each) * ramp.increment;
}

int64_t micro_batches_at(const BatchPlan& batch, int64_t consumed) {
  return global_batch_at(batch, consumed) / (batch.global / batch.micro_batches);
}

int64_t steps_for(const BatchPlan& batch, int64_t samples) {
  int64_t steps = 0, consumed = 0;
  while (batch.rampup.start > 0 && consumed <= batch.rampup.samples && consumed <= samples) {
    consumed += global_batch_at(batch, consumed);
    ++steps;
  }
  return samples > consumed ? steps + (samples - consumed) / batch.global : steps;
}

int64_t training_samples(const BatchPlan& batch) {
  return batch.train_samples > 0 ? batch.train_samples : batch.steps * batch.global;
}

}  // namespace mindspeed
