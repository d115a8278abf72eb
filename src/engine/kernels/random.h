// Counter-based randomness: a value depends on its coordinates only, so every layout draws the same numbers.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string_view>

namespace mindspeed::kernels {

// SplitMix64's output function (Steele et al. 2014): a bijection whose outputs pass statistical tests.
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
constexpr uint64_t mix(uint64_t key, uint64_t value) { return mix(key ^ mix(value)); }
uint64_t mix(uint64_t key, std::string_view text);

// Standard normal values for elements [first, first + count) of the stream `key` (Box-Muller on counter
// pairs).
void normal_values(uint64_t key, int64_t first, int64_t count, float* out);

// Where a dropout mask is drawn. Element (b, t, c) uses (seed, sample_ids[b], layer, site, token0 + t, c).
struct DropoutSite {
  uint64_t seed = 0;
  int64_t layer = 0;
  int64_t site = 0;    // 0 embedding, 1 + branch index: output of a branch
  int64_t token0 = 0;  // global index of the first token of x
};

// Inverted dropout of x [B, T, H] with probability p; sample_ids [B] int64. Backward applies the same mask.
at::Tensor dropout(const at::Tensor& x, double p, const at::Tensor& sample_ids, const DropoutSite& site);

// Keep-mask of attention probabilities, fp32 [B, h, T, S] with values 0 or 1 / (1 - p); `head0` is the global
// number of the first head, tokens and keys count from 0.
at::Tensor attention_dropout_mask(double p, const at::Tensor& sample_ids, const DropoutSite& site,
                                  int64_t head0, int64_t heads, int64_t queries, int64_t keys);

}  // namespace mindspeed::kernels
