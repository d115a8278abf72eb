// Blocks: the unit of scheduling, recompute and sharding. A model is embedding, layers, head.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/comm/mesh.h"
#include "engine/nn/context.h"
#include "engine/nn/parameter.h"
#include "front/plan/plan.h"

namespace mindspeed {

class Block {
 public:
  virtual ~Block() = default;
  virtual Flow forward(const Flow& in, const StepContext& context) = 0;
  // Parameters whose gradients the runner takes from autograd (those that accumulate into main_grad
  // themselves, such as linear weights, are among them and come back undefined).
  virtual const std::vector<Parameter*>& parameters() const = 0;
  virtual const std::string& name() const = 0;  // "embedding", "layers.3", "head"
};

// Builds the blocks of one stage slice; binds parameters by name.
std::vector<std::unique_ptr<Block>> build_blocks(const Plan& plan, const StageSlice& slice, const Mesh& mesh,
                                                 ParameterSet& parameters);

}  // namespace mindspeed
