// Runs a pipeline schedule over this rank's stages: computation, transfers to the neighbours, losses.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/comm/mesh.h"
#include "engine/parallel/stage.h"
#include "front/plan/plan.h"
#include "front/schedule/schedule.h"

namespace mindspeed {

struct StepCallbacks {
  // Called once per micro-batch and stage, before its forward. `tokens` gives the shape of the Flow on every
  // stage.
  std::function<StepContext(int64_t micro_batch)> context_of;
  // Last stage only: the micro-batch's part of the loss (already divided by the tokens of the global batch).
  std::function<void(int64_t micro_batch, double loss)> on_loss;
};

class Executor {
 public:
  // `stages`: one per virtual chunk on this rank, as in Model::stages().
  Executor(const std::vector<std::unique_ptr<Stage>>& stages, const Plan& plan, const Mesh& mesh);

  // Forward and backward of `micro_batches`; gradients accumulate in main_grad (see gradient_sync.h for what
  // follows).
  void train(int64_t micro_batches, const StepCallbacks& callbacks);
  // Forward only, no graphs kept.
  void evaluate(int64_t micro_batches, const StepCallbacks& callbacks);

 private:
  struct Transfers;
  void run(const std::vector<Action>& actions, const StepCallbacks& callbacks, bool training);
  Flow compute_forward(int64_t id, const StepCallbacks& callbacks, const StepContext& context, const Flow& in,
                       bool training);
  at::Tensor flow_buffer(const at::Tensor& tokens) const;

  std::vector<Stage*> stages_;
  Mesh mesh_;
  int64_t hidden_ = 0;
  int sequence_parts_ = 1;  // ranks over which the Flow's sequence is cut
  at::ScalarType dtype_ = at::kFloat;
};

// The loss of the global batch on every rank: the sum over data-parallel ranks, taken from the last stage.
// `local` is the sum of this rank's on_loss values (ignored elsewhere). Collective over the world.
double total_loss(double local, const Mesh& mesh);

}  // namespace mindspeed
