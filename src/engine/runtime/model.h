// A Plan turned into blocks, parameters and storage on this rank.
#pragma once

#include <memory>
#include <vector>

#include "engine/comm/mesh.h"
#include "engine/nn/block.h"
#include "engine/parallel/parameter_store.h"
#include "engine/parallel/stage.h"
#include "front/plan/plan.h"
#include "front/plan/tensor_io.h"

namespace mindspeed {

class Model {
 public:
  // Builds this rank's stages; values are not set yet (see load and initialise).
  Model(const Plan& plan, const Mesh& mesh);

  // Reads this rank's boxes of every parameter. Throws Error naming all that are missing or mis-shaped.
  void load(const TensorSource& source);
  // Random values from (seed, name, global index): the same in every layout. Padding rows are zero.
  void initialise(uint64_t seed);

  const Plan& plan() const { return plan_; }
  const Mesh& mesh() const { return mesh_; }
  ParameterSet& parameters() { return parameters_; }
  ParameterStore& store() { return *store_; }
  std::vector<std::unique_ptr<Stage>>& stages() { return stages_; }  // one per virtual chunk on this rank
  int64_t total_parameters() const;                                  // of the whole model

 private:
  Plan plan_;
  Mesh mesh_;
  ParameterSet parameters_;
  std::unique_ptr<ParameterStore> store_;
  std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace mindspeed
