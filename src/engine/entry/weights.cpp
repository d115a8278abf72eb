#include "engine/entry/weights.h"

#include "engine/ckpt/checkpoint.h"
#include "front/base/error.h"
#include "front/convert/open.h"

namespace mindspeed {

void load_weights(Model& model) {
  const Plan& plan = model.plan();
  if (!plan.checkpoint.load.empty()) {
    const auto folder = checkpoint_to_load(plan.checkpoint.load);
    if (!folder) fail("load", "{} holds no complete checkpoint", plan.checkpoint.load);
    const CheckpointReader reader(*folder);
    check_same_model(reader, plan.parameters);
    load_pieces(reader, model_pieces(model.store().parameters(), model.mesh()));
    return;
  }
  if (plan.weights.empty())
    refuse("load",
           "no weights came; pass --model with a folder that holds some, or --load with a checkpoint");
  model.load(*open_weights(plan.weights, plan.model, plan.parameters));
}

}  // namespace mindspeed
