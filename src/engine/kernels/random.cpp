#include "engine/kernels/random.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <numbers>

namespace mindspeed::kernels {
namespace {

// Threshold for the upper 32 bits of a hash: dropped when below.
uint64_t threshold(double p) { return static_cast<uint64_t>(p * 4294967296.0); }

uint64_t row_key(const DropoutSite& site, int64_t sample, int64_t row) {
  uint64_t key = mix(site.seed, static_cast<uint64_t>(sample));
  key = mix(key, static_cast<uint64_t>(site.layer * 64 + site.site));
  return mix(key, static_cast<uint64_t>(row));
}

void fill_mask_row(float* out, int64_t n, uint64_t key, uint64_t limit, float keep_scale) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = (mix(key + static_cast<uint64_t>(i)) >> 32) < limit ? 0.0f : keep_scale;
}

}  // namespace

uint64_t mix(uint64_t key, std::string_view text) {
  for (const char c : text) key = mix(key, static_cast<uint64_t>(static_cast<unsigned char>(c)));
  return key;
}

void normal_values(uint64_t key, int64_t first, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<uint64_t>(first + i);
    const uint64_t pair = index & ~1ull;
    const double u1 = (static_cast<double>(mix(key, pair) >> 11) + 1.0) * 0x1p-53;  // (0, 1]
    const double u2 = static_cast<double>(mix(key, pair + 1) >> 11) * 0x1p-53;
    const double radius = std::sqrt(-2.0 * std::log(u1));
    const double angle = 2.0 * std::numbers::pi * u2;
    out[i] = static_cast<float>(radius * ((index & 1) == 0 ? std::cos(angle) : std::sin(angle)));
  }
}

at::Tensor dropout(const at::Tensor& x, double p, const at::Tensor& sample_ids, const DropoutSite& site) {
  if (p == 0.0) return x;
  const int64_t tokens = x.size(1), width = x.size(2);
  at::Tensor mask = at::empty({x.size(0), tokens, width}, x.options().dtype(at::kFloat).requires_grad(false));
  float* out = mask.data_ptr<float>();
  const int64_t* samples = sample_ids.const_data_ptr<int64_t>();
  at::parallel_for(0, x.size(0) * tokens, 8, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      fill_mask_row(out + row * width, width,
                    row_key(site, samples[row / tokens], site.token0 + row % tokens), threshold(p),
                    static_cast<float>(1.0 / (1.0 - p)));
  });
  return x * mask.to(x.scalar_type());
}

at::Tensor attention_dropout_mask(double p, const at::Tensor& sample_ids, const DropoutSite& site,
                                  int64_t head0, int64_t heads, int64_t queries, int64_t keys) {
  const int64_t batch = sample_ids.size(0);
  at::Tensor mask = at::empty({batch, heads, queries, keys}, at::kFloat);
  float* out = mask.data_ptr<float>();
  const int64_t* samples = sample_ids.const_data_ptr<int64_t>();
  at::parallel_for(0, batch * heads * queries, 8, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t q = row % queries, head = head0 + row / queries % heads, b = row / (queries * heads);
      const uint64_t key = mix(row_key(site, samples[b], q), static_cast<uint64_t>(head));
      fill_mask_row(out + row * keys, keys, key, threshold(p), static_cast<float>(1.0 / (1.0 - p)));
    }
  });
  return mask;
}

}  // namespace mindspeed::kernels
