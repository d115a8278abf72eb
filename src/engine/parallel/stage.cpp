#include <c10/core/GradMode.h>

#include "engine/parallel/stage.h"

#include <algorithm>
#include <stdexcept>

namespace mindspeed {
namespace {

// Consecutive blocks that are run as one: a group of layers that is recomputed together keeps one input.
class Span : public Block {
 public:
  explicit Span(std::vector<Block*> blocks) : blocks_(std::move(blocks)) {
    name_ = blocks_.front()->name() + " to " + blocks_.back()->name();
    for (const Block* block : blocks_)
      parameters_.insert(parameters_.end(), block->parameters().begin(), block->parameters().end());
  }
  Flow forward(const Flow& in, const StepContext& context) override {
    Flow flow = in;
    for (Block* block : blocks_) flow = block->forward(flow, context);
    return flow;
  }
  const std::vector<Parameter*>& parameters() const override { return parameters_; }
  const std::string& name() const override { return name_; }

 private:
  std::vector<Block*> blocks_;
  std::vector<Parameter*> parameters_;
  std::string name_;
};

// How many of the blocks from `begin` on are recomputed as one group; 0: the block keeps its activations.
// "uniform" recomputes all layers in groups of `layers`, "block" the first `layers` of the stage one by one.
size_t group_size(const std::vector<std::unique_ptr<Block>>& blocks, size_t begin, int64_t layer,
                  const RecomputePlan& recompute) {
  const auto is_layer = [&](size_t i) {
    return i < blocks.size() && blocks[i]->name().starts_with("layers.");
  };
  if (recompute.granularity != Recompute::full || !is_layer(begin)) return 0;
  if (recompute.method != "uniform") return layer < recompute.layers ? 1 : 0;
  size_t size = 0;
  while (size < static_cast<size_t>(recompute.layers) && is_layer(begin + size)) ++size;
  return size;
}

}  // namespace

Stage::Stage(std::vector<std::unique_ptr<Block>> blocks, const RecomputePlan& recompute)
    : blocks_(std::move(blocks)), plain_(plain_runner()), recompute_(recompute_runner()) {
  int64_t layer = 0;
  for (size_t i = 0; i < blocks_.size();) {
    const size_t group = group_size(blocks_, i, layer, recompute);
    if (group > 1) {
      std::vector<Block*> members;
      for (size_t k = i; k < i + group; ++k) members.push_back(blocks_[k].get());
      spans_.push_back(std::make_unique<Span>(std::move(members)));
      units_.push_back({spans_.back().get(), recompute_.get()});
    } else {
      units_.push_back({blocks_[i].get(), group == 1 ? recompute_.get() : plain_.get()});
    }
    layer += blocks_[i]->name().starts_with("layers.") ? static_cast<int64_t>(std::max<size_t>(group, 1)) : 0;
    i += std::max<size_t>(group, 1);
  }
}

Flow Stage::forward(int64_t id, const Flow& in, const StepContext& context) {
  InFlight& flight = in_flight_[id];
  flight.context = context;
  flight.saved.resize(units_.size());
  Flow flow = in;
  for (size_t i = 0; i < units_.size(); ++i)
    flow = units_[i].runner->forward(*units_[i].block, flow, flight.context, flight.saved[i]);
  return flow;
}

Flow Stage::backward(int64_t id, const Flow& grad) {
  const auto found = in_flight_.find(id);
  if (found == in_flight_.end()) throw std::logic_error("backward of a micro-batch that had no forward");
  InFlight flight = std::move(found->second);
  in_flight_.erase(found);
  Flow flow = grad;
  if (!flow.hidden.defined()) flow.hidden = at::scalar_tensor(flight.context.loss_scale, at::kFloat);
  for (size_t i = units_.size(); i-- > 0;)
    flow = units_[i].runner->backward(*units_[i].block, flow, flight.context, flight.saved[i]);
  return flow;
}

Flow Stage::infer(const Flow& in, const StepContext& context) {
  const c10::AutoGradMode grad_mode(false);
  Flow flow = in;
  for (const auto& block : blocks_) flow = block->forward(flow, context);
  return flow;
}

}  // namespace mindspeed
