#include "front/data/sampler.h"

#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>

#include "front/base/error.h"
#include "front/data/numpy_random.h"

namespace mindspeed {
namespace {

class SingleSampler : public Sampler {
 public:
  explicit SingleSampler(const SamplerConfig& config) : config_(config) {}

  std::vector<int64_t> samples(int64_t consumed, int rank) const override {
    if (!config_.wrap && consumed + config_.micro * config_.dp > config_.total)
      fail("data",
           "the set of {} samples is used up after {}; give it more data, fewer steps, or --dataloader-type "
           "cyclic",
           config_.total, consumed);
    std::vector<int64_t> numbers(static_cast<size_t>(config_.micro));
    std::iota(numbers.begin(), numbers.end(), consumed + rank * config_.micro);
    if (config_.wrap)
      for (int64_t& number : numbers) number %= config_.total;
    return numbers;
  }

 private:
  SamplerConfig config_;
};

class CyclicSampler : public Sampler {
 public:
  explicit CyclicSampler(const SamplerConfig& config) : config_(config) {
    const int64_t group = config.micro * config.dp;
    active_ = config.total - config.total % group;
    bucket_ = config.data_sharding ? config.total / group * config.micro
                                   : config.total / config.micro * config.micro;
    if (bucket_ > std::numeric_limits<uint32_t>::max())
      refuse("data", "cyclic order over {} samples; at most {} are supported: use --dataloader-type single",
             bucket_, std::numeric_limits<uint32_t>::max());
  }

  std::vector<int64_t> samples(int64_t consumed, int rank) const override {
    const int64_t in_epoch = consumed % active_;
    const auto order = permutation(consumed / active_);
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < config_.micro; ++i) {
      if (config_.data_sharding)
        numbers.push_back(rank * bucket_ + (*order)[static_cast<size_t>(in_epoch / config_.dp + i)]);
      else
        numbers.push_back((*order)[static_cast<size_t>(in_epoch + rank + i * config_.dp)]);
    }
    return numbers;
  }

 private:
  // The permutation of an epoch; the last one asked for is kept.
  std::shared_ptr<const std::vector<uint32_t>> permutation(int64_t epoch) const {
    const std::lock_guard lock(mutex_);
    if (epoch != epoch_) {
      order_ = std::make_shared<const std::vector<uint32_t>>(
          torch_randperm(static_cast<uint32_t>(bucket_), static_cast<uint32_t>(epoch)));
      epoch_ = epoch;
    }
    return order_;
  }

  SamplerConfig config_;
  int64_t active_ = 0;  // samples of an epoch over all ranks
  int64_t bucket_ = 0;  // samples that one permutation orders
  mutable std::mutex mutex_;
  mutable int64_t epoch_ = -1;
  mutable std::shared_ptr<const std::vector<uint32_t>> order_;
};

}  // namespace

std::unique_ptr<Sampler> make_sampler(const std::string& kind, const SamplerConfig& config) {
  if (config.micro < 1 || config.dp < 1) throw std::logic_error("make_sampler: micro and dp must be >= 1");
  if (config.total < (config.wrap ? 1 : config.micro * config.dp))
    refuse(
        "data",
        "the set holds {} samples; one step takes {} (micro batch {} x {} data-parallel ranks): add data or "
        "lower --micro-batch-size",
        config.total, config.micro * config.dp, config.micro, config.dp);
  if (kind == "single") return std::make_unique<SingleSampler>(config);
  if (kind == "cyclic") return std::make_unique<CyclicSampler>(config);
  refuse("data", "--dataloader-type {} came; single or cyclic is needed", kind);
}

std::vector<uint32_t> torch_randperm(uint32_t count, uint32_t seed) {
  Mt19937 bits(seed);
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  if (count < std::numeric_limits<uint32_t>::max() / 20) {
    for (uint32_t i = 0; i + 1 < count; ++i) std::swap(order[i], order[i + bits.next32() % (count - i)]);
    return order;
  }
  // Above 2^32 / 20 torch draws 64 bits and builds the permutation inside out.
  for (uint32_t i = 0; i < count; ++i) {
    const auto z = static_cast<size_t>(bits.next64() % (uint64_t{i} + 1));
    order[i] = order[z];
    order[z] = i;
  }
  return order;
}

}  // namespace mindspeed
