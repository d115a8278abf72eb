// The small layers that blocks are made of: linear with its place in the tensor-parallel group, and norms.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/nn/build.h"

namespace mindspeed {

// How a linear layer sits in the tensor-parallel group.
enum class Cut {
  column,  // rows of the weight are cut: whole input, local part of the output
  row,     // columns are cut: local input, summed output
};

// y = x W^T + b with W = <name>.weight, b = <name>.bias if the table has it. Column: the input passes
// copy_to_group, or under sequence parallelism gather_to_group along tokens. Row: the output passes
// reduce_from_group or, under sequence parallelism, scatter_reduce_from_group; its bias is added after the
// sum.
class Linear {
 public:
  Linear(BuildContext& build, const std::string& name, Cut cut);
  at::Tensor forward(const at::Tensor& x) const;  // [B, T, I] -> [B, T, O]

 private:
  Parameter* weight_ = nullptr;
  Parameter* bias_ = nullptr;
  Cut cut_;
  std::shared_ptr<Group> tp_;
  bool sequence_parallel_;
};

class Norm {
 public:
  Norm(BuildContext& build, const std::string& name, const NormSpec& spec);
  at::Tensor forward(const at::Tensor& x) const;  // over the last dimension

 private:
  NormSpec spec_;
  Parameter* weight_ = nullptr;
  Parameter* bias_ = nullptr;
};

// The norm `name`.weight if the spec has one.
std::optional<Norm> optional_norm(BuildContext& build, const std::string& name,
                                  const std::optional<NormSpec>& spec);

}  // namespace mindspeed
