// Weights for commands that only compute forward.
#pragma once

#include "engine/runtime/model.h"

namespace mindspeed {

// Fills the model from plan.checkpoint.load (a native checkpoint in any layout) if that is set, else from
// plan.weights. Throws Error when there is neither, or when they do not fit.
void load_weights(Model& model);

}  // namespace mindspeed
