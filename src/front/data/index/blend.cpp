#include "front/data/index/blend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "front/base/error.h"
#include "front/data/index/checked.h"

namespace mindspeed {
namespace {

constexpr double kSurplus = 0.005;

void take(BlendIndex& index, size_t set) {
  index.set.push_back(static_cast<int16_t>(set));
  index.sample.push_back(index.counts[set]++);
}

double lag(double weight, int64_t drawn, int64_t count) {
  return weight * static_cast<double>(std::max<int64_t>(drawn, 1)) - static_cast<double>(count);
}

}  // namespace

std::vector<double> normalize_weights(std::span<const double> weights) {
  if (weights.size() > size_t{std::numeric_limits<int16_t>::max()})
    refuse("data", "{} data sets came; a blend holds at most {}", weights.size(),
           std::numeric_limits<int16_t>::max());
  double sum = 0;
  for (const double w : weights) {
    if (!std::isfinite(w) || w < 0)
      refuse("data", "blend weight {} came; weights must be finite and >= 0", w);
    sum += w;
  }
  if (!(sum > 0)) refuse("data", "all {} blend weights are 0; at least one must be > 0", weights.size());
  std::vector<double> normal(weights.begin(), weights.end());
  for (double& w : normal) w /= sum;
  return normal;
}

BlendIndex build_blend(std::span<const double> weights, int64_t samples) {
  BlendIndex index;
  index.counts.assign(weights.size(), 0);
  index.set.reserve(static_cast<size_t>(samples));
  index.sample.reserve(static_cast<size_t>(samples));
  for (int64_t k = 0; k < samples; ++k) {
    size_t best = 0;
    double most = lag(weights[0], k, index.counts[0]);
    for (size_t i = 1; i < weights.size(); ++i) {
      const double behind = lag(weights[i], k, index.counts[i]);
      if (behind > most) {
        most = behind;
        best = i;
      }
    }
    take(index, best);
  }
  return index;
}

BlendIndex build_exhaustive_blend(std::span<const int64_t> sizes) {
  BlendIndex index;
  index.counts.assign(sizes.size(), 0);
  int64_t total = 0;
  for (const int64_t size : sizes) total = checked_add(total, size, "samples of a blend");
  for (int64_t k = 0; k < total; ++k) {
    size_t best = sizes.size();
    double most = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (index.counts[i] == sizes[i]) continue;
      const double weight = static_cast<double>(sizes[i]) / static_cast<double>(total);
      const double behind = lag(weight, k, index.counts[i]);
      if (best == sizes.size() || behind > most) {
        most = behind;
        best = i;
      }
    }
    take(index, best);
  }
  return index;
}

BlendSizes blend_sizes(std::span<const double> weights, int64_t samples) {
  BlendSizes sizes;
  for (const double w : weights) {
    const double share = std::ceil(static_cast<double>(samples) * w);
    sizes.total += static_cast<int64_t>(share);
    sizes.per_set.push_back(static_cast<int64_t>(std::ceil(share * (1.0 + kSurplus))));
  }
  return sizes;
}

BlendedSet::BlendedSet(std::vector<std::shared_ptr<const SampleSet>> sets, BlendIndex index)
    : sets_(std::move(sets)), index_(std::move(index)) {
  if (sets_.empty() || sets_.size() != index_.counts.size())
    throw std::logic_error("BlendedSet: index of other sets");
  for (size_t i = 0; i < sets_.size(); ++i)
    if (index_.counts[i] > 0 && sets_[i]->size() == 0) throw std::logic_error("BlendedSet: a set is empty");
}

const SampleSet& BlendedSet::set_of(int64_t index) const {
  if (index < 0 || index >= size()) throw std::logic_error("BlendedSet: no such sample");
  return *sets_[static_cast<size_t>(index_.set[static_cast<size_t>(index)])];
}

int64_t BlendedSet::number_in_set(int64_t index) const {
  return index_.sample[static_cast<size_t>(index)] % set_of(index).size();
}

void BlendedSet::read(int64_t index, SampleView out) const { set_of(index).read(number_in_set(index), out); }

int64_t BlendedSet::supervised(int64_t index) const { return set_of(index).supervised(number_in_set(index)); }

}  // namespace mindspeed
