// What happens to the gradients between the last backward of a step and the optimizer, and to the values
// after it.
#pragma once

#include <vector>

#include "engine/comm/mesh.h"
#include "engine/optim/optimizer.h"
#include "engine/parallel/parameter_store.h"

namespace mindspeed {

class GradientSync {
 public:
  // `sharded`: each data-parallel rank owns one range of the store (built with shards = dp).
  GradientSync(ParameterStore& store, const Mesh& mesh, bool sharded);

  // Completes the gradients, in this order; collective over the world:
  //  1. parameters whose gradient is a partial sum over tp (partial_over) are summed over tp;
  //  2. the two copies of a tied embedding (first and last pipeline stage) both get their sum;
  //  3. the sum over cp and dp. Losses are divided by the tokens of the global batch, so nothing is divided
  //  here.
  //     Sharded: only the owned range is complete afterwards.
  void reduce();

  // The ranges that this rank's optimizer updates, in table order, for Optimizer and gradient_norm: all
  // parameters, or the owned parts of them. `counted` marks them so that each logical element counts once: a
  // parameter that tp does not cut on tp rank 0 only, a tied copy never.
  std::vector<OptimRange> ranges() const;

  // Sharded: after the optimizer's step every rank gets the other ranks' values. Else nothing.
  void gather_values();

  // fp32 elements per rank and transfer: bounds the extra memory of the sharded reduction.
  static constexpr int64_t kBucket = int64_t{1} << 22;

 private:
  void reduce_partial();
  void reduce_tied();
  void reduce_data_parallel();

  ParameterStore* store_;
  Mesh mesh_;
  bool sharded_;
};

}  // namespace mindspeed
