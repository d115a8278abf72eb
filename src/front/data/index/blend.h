// Mixing several data sets: which set each sample comes from (Megatron's BlendedDataset and helpers.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "front/data/sample.h"

namespace mindspeed {

struct BlendIndex {
  std::vector<int16_t> set;     // [samples] number of the data set
  std::vector<int64_t> sample;  // [samples] number of the sample in it
  std::vector<int64_t> counts;  // samples taken from each set
};

// Weights that sum to 1. Throws Error (exit code 2) for negative, non-finite or all-zero weights, or over
// 32767 sets.
std::vector<double> normalize_weights(std::span<const double> weights);

// Draw k goes to the set whose count lags most behind weight * max(k, 1); the first such set wins.
BlendIndex build_blend(std::span<const double> weights, int64_t samples);

// Every sample of every set exactly once, spread evenly.
BlendIndex build_exhaustive_blend(std::span<const int64_t> sizes);

// Samples asked of each set so that a blend of `samples` never runs dry, and the size of that blend:
// ceil(ceil(samples * weight) * 1.005) each, and the sum of the inner ceilings.
struct BlendSizes {
  std::vector<int64_t> per_set;
  int64_t total = 0;
};
BlendSizes blend_sizes(std::span<const double> weights, int64_t samples);

// Sets behind one number line. A set that is drawn more often than it has samples wraps around.
class BlendedSet : public SampleSet {
 public:
  BlendedSet(std::vector<std::shared_ptr<const SampleSet>> sets, BlendIndex index);
  int64_t size() const override { return static_cast<int64_t>(index_.set.size()); }
  int64_t sequence_length() const override { return sets_.front()->sequence_length(); }
  void read(int64_t index, SampleView out) const override;
  int64_t supervised(int64_t index) const override;
  const BlendIndex& index() const { return index_; }

 private:
  const SampleSet& set_of(int64_t index) const;
  int64_t number_in_set(int64_t index) const;

  std::vector<std::shared_ptr<const SampleSet>> sets_;
  BlendIndex index_;
};

}  // namespace mindspeed
