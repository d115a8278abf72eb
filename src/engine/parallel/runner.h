// Runs blocks forward and backward; autograd graphs never cross a block. The one seam for recompute, offload
// and full sharding: a policy is another BlockRunner.
#pragma once

#include <memory>
#include <vector>

#include "engine/nn/block.h"

namespace mindspeed {

// What a runner keeps of one block's forward until its backward.
struct Saved {
  Flow in;   // detached input; requires grad unless it is the pipeline's first block
  Flow out;  // output with its graph; undefined when it will be recomputed
};

class BlockRunner {
 public:
  virtual ~BlockRunner() = default;
  // Forward with a graph (training) and what backward needs.
  virtual Flow forward(Block& block, const Flow& in, const StepContext& context, Saved& saved) = 0;
  // Gradient of the input; adds parameter gradients to main_grad. `grad` is the gradient of the output.
  virtual Flow backward(Block& block, const Flow& grad, const StepContext& context, Saved& saved) = 0;
};

std::unique_ptr<BlockRunner> plain_runner();
// Keeps only the input of each block and runs the forward again in backward. Bit-equal to the plain runner.
std::unique_ptr<BlockRunner> recompute_runner();

}  // namespace mindspeed
