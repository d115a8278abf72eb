// The data of a training run: micro-batch k of a step for a data-parallel rank, as plain arrays.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "front/data/index/split.h"
#include "front/data/sample.h"
#include "front/data/sampler.h"
#include "front/plan/plan.h"

namespace mindspeed {

// One micro-batch of one rank; arrays are row-major.
struct Batch {
  int64_t micro = 0;                                  // B, samples
  int64_t sequence = 0;                               // T, tokens per sample
  std::vector<int64_t> tokens;                        // [B, T]
  std::vector<int64_t> labels;                        // [B, T]
  std::vector<float> loss_mask;                       // [B, T] 1 = supervised
  std::vector<int64_t> positions;                     // [B, T]
  std::vector<std::vector<int32_t>> document_starts;  // B rows, each ascending from 0
};

// The settings of a run that decide its samples.
struct TrainingDataConfig {
  DataPlan data;
  BatchPlan batch;
  EvalPlan eval;
  int dp = 1;         // data-parallel ranks
  int64_t vocab = 0;  // true vocabulary; larger ids in the data are an error
  uint64_t seed = 1234;
  std::string
      tokenizer_fingerprint;  // of the run's tokenizer; data made with another are refused. Empty = unknown
};

// The part of a Plan that decides its samples. plan.data.eod must be set by the caller, who knows the
// tokenizer.
TrainingDataConfig training_data_config(const Plan& plan);

// Train, validation and test samples. Every answer is a pure function of the configuration and the arguments;
// calls from several threads are safe.
class TrainingData {
 public:
  // Opens (or builds) the indices. Throws Error (exit code 2) when a part that has weight holds too little
  // data, or when the data were made with another tokenizer than data.tokenizer.
  explicit TrainingData(const TrainingDataConfig& config);

  // Whether the run has samples for this part (weight in --split, and steps that need them).
  bool has(Split split) const { return parts_[static_cast<size_t>(split)].set != nullptr; }

  // Samples in a part; 0 when it is absent.
  int64_t size(Split split) const;

  // Micro-batch `micro_batch` of the step that begins after `consumed` samples (over all ranks) for
  // data-parallel rank `rank`. consumed = step * global batch as long as the global batch is constant; for
  // evaluation, the validation samples used so far. Throws Error when the data end or hold an id outside the
  // vocabulary.
  Batch micro_batch(Split split, int64_t consumed, int64_t micro_batch, int rank) const;

  // Supervised tokens of the whole step (all ranks and micro-batches): what its loss is divided by. Known
  // before the first forward; every rank computes the same number.
  int64_t supervised_tokens(Split split, int64_t consumed) const;

 private:
  struct Part {
    std::shared_ptr<const SampleSet> set;
    std::unique_ptr<Sampler> sampler;
  };
  const Part& part(Split split) const;
  void check_vocabulary(const Batch& batch, Split split) const;

  TrainingDataConfig config_;
  std::array<Part, 3> parts_;
};

}  // namespace mindspeed
