// Ops: what a branch of a layer computes between its norms. One file per kind.
#pragma once

#include <memory>
#include <string>

#include "engine/nn/build.h"
#include "engine/nn/context.h"

namespace mindspeed {

class Op {
 public:
  virtual ~Op() = default;
  virtual at::Tensor forward(const at::Tensor& x,
                             const StepContext& context) const = 0;  // [B, T, H] -> [B, T, H]
};

// `prefix` is the branch's parameter prefix ("layers.3.attn"), `layer` the layer number in the whole model,
// `slot` the number of the layer on this stage (its place in a KvCache).
std::unique_ptr<Op> make_attention(BuildContext& build, const std::string& prefix, const AttentionSpec& spec,
                                   int64_t layer, int64_t slot);
std::unique_ptr<Op> make_dense(BuildContext& build, const std::string& prefix, const DenseSpec& spec);

}  // namespace mindspeed
