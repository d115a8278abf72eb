// What is learned from the data: which tokens count, and by how much.
#pragma once

#include <cstdint>

#include "engine/nn/context.h"
#include "front/data/index/split.h"

namespace mindspeed {

// An objective whose row weights are known before the first forward (pre-training, supervised fine-tuning).
class Objective {
 public:
  virtual ~Objective() = default;
  // Fixes the step: its samples are those after `consumed`. Computes the normaliser, the supervised tokens of
  // the whole global batch. Throws Error when the data have ended or nothing is supervised.
  virtual void begin(Split split, int64_t consumed) = 0;
  virtual int64_t supervised_tokens() const = 0;
  // Micro-batch `k` of this rank. row_weights = mask / supervised_tokens, so that the losses of all
  // micro-batches and ranks add up to the mean over the global batch.
  virtual StepContext micro_batch(int64_t k) = 0;
  // Mean share of the score matrix that the rows seen since begin() use; 0.5 without document boundaries.
  virtual double attended() const { return 0.5; }
  virtual bool has(Split split) const = 0;
};

}  // namespace mindspeed
