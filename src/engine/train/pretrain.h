// Next-token prediction on documents.
#pragma once

#include "engine/comm/mesh.h"
#include "engine/train/objective.h"
#include "front/data/batch.h"
#include "front/plan/plan.h"

namespace mindspeed {

class PretrainObjective final : public Objective {
 public:
  // Opens the data. Throws Error (see TrainingData).
  PretrainObjective(const Plan& plan, const Mesh& mesh);

  void begin(Split split, int64_t consumed) override;
  int64_t supervised_tokens() const override { return supervised_; }
  StepContext micro_batch(int64_t k) override;
  double attended() const override;
  bool has(Split split) const override { return data_.has(split); }

 private:
  TrainingData data_;
  int64_t micro_ = 1;  // samples per rank and micro-batch
  int dp_ = 1, dp_rank_ = 0;
  uint64_t seed_ = 0;
  Split split_ = Split::train;
  int64_t consumed_ = 0, supervised_ = 0;
  double squares_ = 0.0, rows_ = 0.0;  // sum of (document length / T)^2, and rows, since begin()
};

// The tensors of a batch. `first_sample`: position in the run of the batch's first row, keys dropout.
StepContext step_context(const Batch& batch, int64_t supervised_tokens, int64_t first_sample, uint64_t seed,
                         bool training);

}  // namespace mindspeed
