#include "engine/infer/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/kernels/random.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

// Draws from the filtered softmax of one row by inverting its cumulative distribution in order of falling
// probability.
int32_t draw(std::span<const float> logits, const SamplingOptions& options, double uniform) {
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto larger = [&](int32_t a, int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  size_t kept = logits.size();
  if (options.top_k > 0) kept = std::min(kept, static_cast<size_t>(options.top_k));
  if (kept < order.size()) {
    std::nth_element(order.begin(), order.begin() + static_cast<int64_t>(kept), order.end(), larger);
    order.resize(kept);
  }
  std::sort(order.begin(), order.end(), larger);

  std::vector<double> weight(kept);
  const double top = logits[order[0]];
  for (size_t i = 0; i < kept; ++i) weight[i] = std::exp((logits[order[i]] - top) / options.temperature);
  double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  if (options.top_p < 1.0) {
    double sum = 0.0;
    size_t n = 0;
    while (n < kept && sum < options.top_p * total) sum += weight[n++];
    kept = std::max<size_t>(n, 1);
    total = std::accumulate(weight.begin(), weight.begin() + static_cast<int64_t>(kept), 0.0);
  }
  double left = uniform * total;
  for (size_t i = 0; i < kept; ++i) {
    left -= weight[i];
    if (left < 0.0) return order[i];
  }
  return order[kept - 1];
}

}  // namespace

void check_sampling(const SamplingOptions& options) {
  if (options.greedy) return;
  if (!(options.temperature > 0.0))
    refuse("generate",
           "temperature {} came; a number above 0 is needed; use --greedy for the most likely token",
           options.temperature);
  if (options.top_k < 0) refuse("generate", "top-k {} came; 0 (all tokens) or more is needed", options.top_k);
  if (!(options.top_p > 0.0 && options.top_p <= 1.0))
    refuse("generate", "top-p {} came; a number in (0, 1] is needed", options.top_p);
}

std::vector<int32_t> sample(const at::Tensor& logits, const SamplingOptions& options,
                            std::span<const int64_t> rows, int64_t step) {
  const at::Tensor x = logits.contiguous();
  const auto width = static_cast<size_t>(x.size(1));
  std::vector<int32_t> chosen;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::span<const float> row(x.const_data_ptr<float>() + i * width, width);
    if (options.greedy) {
      chosen.push_back(static_cast<int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
      continue;
    }
    const uint64_t key =
        kernels::mix(kernels::mix(options.seed, static_cast<uint64_t>(rows[i])), static_cast<uint64_t>(step));
    chosen.push_back(draw(row, options, static_cast<double>(key >> 11) * 0x1p-53));
  }
  return chosen;
}

}  // namespace mindspeed
