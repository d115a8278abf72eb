// The blocks of one pipeline stage slice on this rank, with a runner per block or group of blocks.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/parallel/runner.h"

namespace mindspeed {

class Stage {
 public:
  Stage(std::vector<std::unique_ptr<Block>> blocks, const RecomputePlan& recompute);

  // Forward of micro-batch `id` with graphs kept. The last stage returns the loss (scalar).
  Flow forward(int64_t id, const Flow& in, const StepContext& context);
  // Backward of micro-batch `id`; returns the gradient of the stage's input (undefined on the first stage).
  // On the last stage `grad` may be empty: the loss's own gradient, context.loss_scale, is used.
  Flow backward(int64_t id, const Flow& grad);
  // Forward only, no graph.
  Flow infer(const Flow& in, const StepContext& context);

  const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }

 private:
  struct InFlight {
    StepContext context;
    std::vector<Saved> saved;  // one per unit
  };
  struct Unit {
    Block* block;
    BlockRunner* runner;
  };
  std::vector<std::unique_ptr<Block>> blocks_, spans_;
  std::unique_ptr<BlockRunner> plain_, recompute_;
  std::vector<Unit> units_;  // blocks or spans, in order
  std::map<int64_t, InFlight> in_flight_;
};

}  // namespace mindspeed
