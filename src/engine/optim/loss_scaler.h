// The factor of the loss that keeps small gradients of low-precision runs above zero.
#pragma once

#include <cstdint>

#include "front/plan/plan.h"

namespace mindspeed {

// Where the scaler stands; saved with the run.
struct LossScale {
  double scale = 1.0;
  int64_t clean_steps = 0;  // without overflow since the last change
  int64_t hysteresis = 0;   // overflows that are still borne before the scale is halved
};

// Source: Megatron's DynamicGradScaler (megatron/core/optimizer/grad_scaler.py), growth 2, back-off 1/2. A
// fixed scale stays what it is. Every rank must tell it the same, since each holds its own.
class LossScaler {
 public:
  explicit LossScaler(const LossScalePlan& plan);

  double scale() const { return state_.scale; }
  bool dynamic() const { return plan_.dynamic; }

  // After a step whose gradients were finite.
  void finite_step();
  // After a step whose gradients were not. False when the scale is not to blame: it is fixed, or was at its
  // minimum already.
  bool overflow();

  const LossScale& state() const { return state_; }
  void set_state(const LossScale& state) { state_ = state; }

 private:
  LossScalePlan plan_;
  LossScale state_;
};

}  // namespace mindspeed
