#include "engine/optim/loss_scaler.h"

#include <algorithm>

namespace mindspeed {

LossScaler::LossScaler(const LossScalePlan& plan) : plan_(plan), state_{plan.initial, 0, plan.hysteresis} {}

void LossScaler::finite_step() {
  if (!plan_.dynamic || ++state_.clean_steps < plan_.window) return;
  state_ = {state_.scale * 2.0, 0, plan_.hysteresis};
}

bool LossScaler::overflow() {
  if (!plan_.dynamic || state_.scale <= plan_.minimum) return false;
  state_.clean_steps = 0;
  if (--state_.hysteresis <= 0) state_.scale = std::max(state_.scale / 2.0, plan_.minimum);
  return true;
}

}  // namespace mindspeed
