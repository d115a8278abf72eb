#include <c10/core/GradMode.h>

#include "engine/parallel/stage.h"

#include <stdexcept>

namespace mindspeed {

Stage::Stage(std::vector<std::unique_ptr<Block>> blocks, const RecomputePlan& recompute)
    : blocks_(std::move(blocks)), plain_(plain_runner()), recompute_(recompute_runner()) {
  int64_t layer = 0;
  for (const auto& block : blocks_) {
    const bool is_layer = block->name().starts_with("layers.");
    // "block" recomputes the first `layers` layers of the stage, "uniform" all of them.
    const bool again = is_layer && recompute.granularity == Recompute::full &&
                       (recompute.method == "uniform" || layer < recompute.layers);
    runner_of_.push_back(again ? recompute_.get() : plain_.get());
    layer += is_layer ? 1 : 0;
  }
}

Flow Stage::forward(int64_t id, const Flow& in, const StepContext& context) {
  InFlight& flight = in_flight_[id];
  flight.context = context;
  flight.saved.resize(blocks_.size());
  Flow flow = in;
  for (size_t i = 0; i < blocks_.size(); ++i)
    flow = runner_of_[i]->forward(*blocks_[i], flow, flight.context, flight.saved[i]);
  return flow;
}

Flow Stage::backward(int64_t id, const Flow& grad) {
  const auto found = in_flight_.find(id);
  if (found == in_flight_.end()) throw std::logic_error("backward of a micro-batch that had no forward");
  InFlight flight = std::move(found->second);
  in_flight_.erase(found);
  Flow flow = grad;
  if (!flow.hidden.defined()) flow.hidden = at::scalar_tensor(flight.context.loss_scale, at::kFloat);
  for (size_t i = blocks_.size(); i-- > 0;)
    flow = runner_of_[i]->backward(*blocks_[i], flow, flight.context, flight.saved[i]);
  return flow;
}

Flow Stage::infer(const Flow& in, const StepContext& context) {
  const c10::AutoGradMode grad_mode(false);
  Flow flow = in;
  for (const auto& block : blocks_) flow = block->forward(flow, context);
  return flow;
}

}  // namespace mindspeed
