// Collectives with gradients, in conjugate pairs (Megatron's f and g). At group size 1 each returns its input.
#pragma once

#include <ATen/ATen.h>

#include "engine/comm/group.h"

namespace mindspeed {

// Forward identity, backward all-reduce: the input of a column-parallel layer.
at::Tensor copy_to_group(const at::Tensor& x, const std::shared_ptr<Group>& group);
// Forward all-reduce, backward identity: the output of a row-parallel layer.
at::Tensor reduce_from_group(const at::Tensor& x, const std::shared_ptr<Group>& group);

// Forward all-gather along `dim`, backward reduce-scatter: sequence-parallel input of a column-parallel layer.
at::Tensor gather_to_group(const at::Tensor& x, int64_t dim, const std::shared_ptr<Group>& group);
// Forward reduce-scatter along `dim`, backward all-gather: sequence-parallel output of a row-parallel layer.
at::Tensor scatter_reduce_from_group(const at::Tensor& x, int64_t dim, const std::shared_ptr<Group>& group);

}  // namespace mindspeed
