// Optimizers over ranges of flat parameter storage. The caller decides which ranges this rank updates (all of
// them, or its share under a sharded optimizer); state exists for those ranges only.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "front/plan/plan.h"

namespace mindspeed {

// A run of elements of one parameter that this rank updates.
struct OptimRange {
  std::string name;     // logical parameter name
  int64_t offset = 0;   // of the first element in the rank's local parameter, row-major
  at::Tensor value;     // [n] storage dtype (fp32, bf16 or fp16), a view of the flat buffer, no gradient
  at::Tensor gradient;  // [n] fp32, a view of the flat buffer
  bool decay = true;    // weight decay applies (ParameterSpec.decay)
  bool counted =
      true;  // this rank counts it in the norm (replicas and tied copies are counted once, elsewhere)
};

// State of one range, for checkpoints: group is "master", "exp_avg", "exp_avg_sq" or "momentum".
struct OptimState {
  std::string group;
  size_t range = 0;   // index into ranges()
  at::Tensor tensor;  // [n] fp32, the optimizer's own storage: loading writes into it
};

class Optimizer {
 public:
  // Throws Error for a kind that does not exist, std::logic_error for ranges of wrong dtype or size.
  Optimizer(const OptimizerPlan& plan, std::vector<OptimRange> ranges);

  // One update. `gradient_scale` multiplies every gradient first (clipping coefficient over loss scale).
  void step(double lr, double weight_decay, double gradient_scale);

  const std::vector<OptimRange>& ranges() const { return ranges_; }
  std::vector<OptimState> states() const;

  // Updates made so far (t of the bias correction); set when state is loaded.
  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps) { steps_ = steps; }

  // After values were loaded or initialised: master copies (if any) take them over.
  void adopt_values();
  // After master copies were loaded: values are rounded from them.
  void publish_masters();

 private:
  void publish_master(size_t range);
  at::Tensor flat_view(const at::Tensor& flat, size_t range) const;
  float* weights(size_t range) const;  // fp32 weights that are updated: the master copy, or the value itself

  OptimizerPlan plan_;
  std::vector<OptimRange> ranges_;
  std::vector<int64_t> starts_;  // of each range in the flat state below
  bool adam_ = true, has_master_ = false;
  at::Tensor master_, first_,
      second_;  // [sum of n] fp32; undefined when not needed. first_: exp_avg or momentum
  int64_t steps_ = 0;
};

}  // namespace mindspeed
