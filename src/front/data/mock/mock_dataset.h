// Synthetic training data for runs without files (--mock-data): a noisy Markov chain that a model can learn.
#pragma once

#include "front/data/index/split.h"
#include "front/data/sample.h"

namespace mindspeed {

struct MockConfig {
  int64_t size = 0;  // samples
  int64_t sequence_length = 0;
  int64_t vocab = 0;  // ids stay below it
  uint64_t seed = 1234;
  Split split = Split::train;  // every split has samples of its own
  SampleRules rules;
};

// After token t comes (5 t + 17) mod n with probability 7/8, else any of the n = min(vocab, 256) tokens; with
// a known end-of-document token, documents end after 64 tokens on average. The best possible loss is
// about 1.1 nats for n = 256.
class MockDataset : public SampleSet {
 public:
  // Throws Error (exit code 2) for a vocabulary of less than 2 tokens.
  explicit MockDataset(const MockConfig& config);
  int64_t size() const override { return config_.size; }
  int64_t sequence_length() const override { return config_.sequence_length; }
  void read(int64_t index, SampleView out) const override;

 private:
  MockConfig config_;
};

}  // namespace mindspeed
