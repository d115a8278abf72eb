#include "engine/optim/update_kernels.h"

#include <ATen/Parallel.h>

#include <bit>
#include <cmath>
#include <vector>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MS_CPU_LEVELS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MS_CPU_LEVELS
#endif

namespace mindspeed {
namespace {

constexpr int64_t kGrain = 1 << 14;  // elements per task: 64 KiB of each operand
constexpr int64_t kBlock = 1 << 12;  // elements per partial sum

MS_CPU_LEVELS void adamw_loop(float* __restrict p, const float* __restrict g, float* __restrict m,
                              float* __restrict v, int64_t n, const AdamStep s) {
  const float one_minus_beta1 = 1.0f - s.beta1, one_minus_beta2 = 1.0f - s.beta2;
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const float grad = g[i] * s.gradient_scale;
    const float first = m[i] + one_minus_beta1 * (grad - m[i]);
    const float second = s.beta2 * v[i] + one_minus_beta2 * (grad * grad);
    const float denominator = std::sqrt(second) / s.root_correction + s.eps;
    p[i] = p[i] * s.decay_factor - s.step_size * (first / denominator);
    m[i] = first;
    v[i] = second;
  }
}

MS_CPU_LEVELS void sgd_loop(float* __restrict p, const float* __restrict g, int64_t n, const SgdStep s) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) p[i] -= s.lr * (g[i] * s.gradient_scale + s.weight_decay * p[i]);
}

MS_CPU_LEVELS void momentum_loop(float* __restrict p, const float* __restrict g, float* __restrict b,
                                 int64_t n, const SgdStep s) {
  const float keep = s.first ? 0.0f : s.momentum;
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    b[i] = keep * b[i] + (g[i] * s.gradient_scale + s.weight_decay * p[i]);
    p[i] -= s.lr * b[i];
  }
}

MS_CPU_LEVELS void bf16_loop(const float* __restrict in, uint16_t* __restrict out, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = std::bit_cast<uint32_t>(in[i]);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    out[i] = static_cast<uint16_t>(nan ? 0x7fc0u : rounded);
  }
}

// Eight fp64 lanes: vectorisable without reassociation by the compiler, and the order never changes.
MS_CPU_LEVELS double squares_loop(const float* x, int64_t n) {
  double lane[8] = {};
  const int64_t whole = n / 8 * 8;
  for (int64_t i = 0; i < whole; i += 8) {
#pragma omp simd
    for (int64_t k = 0; k < 8; ++k) {
      const double value = static_cast<double>(x[i + k]);
      lane[k] += value * value;
    }
  }
  for (int64_t i = whole; i < n; ++i)
    lane[i - whole] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

}  // namespace

void adamw_update(float* p, const float* g, float* m, float* v, int64_t n, const AdamStep& step) {
  at::parallel_for(0, n, kGrain, [&](int64_t begin, int64_t end) {
    adamw_loop(p + begin, g + begin, m + begin, v + begin, end - begin, step);
  });
}

void sgd_update(float* p, const float* g, float* buffer, int64_t n, const SgdStep& step) {
  at::parallel_for(0, n, kGrain, [&](int64_t begin, int64_t end) {
    if (buffer == nullptr)
      sgd_loop(p + begin, g + begin, end - begin, step);
    else
      momentum_loop(p + begin, g + begin, buffer + begin, end - begin, step);
  });
}

void round_to_bf16(const float* in, uint16_t* out, int64_t n) {
  at::parallel_for(0, n, kGrain,
                   [&](int64_t begin, int64_t end) { bf16_loop(in + begin, out + begin, end - begin); });
}

double sum_of_squares(const float* x, int64_t n) {
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  std::vector<double> partial(static_cast<size_t>(blocks), 0.0);
  at::parallel_for(0, blocks, kGrain / kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      partial[static_cast<size_t>(b)] = squares_loop(x + b * kBlock, std::min(kBlock, n - b * kBlock));
  });
  double sum = 0.0;
  for (double value : partial) sum += value;
  return sum;
}

}  // namespace mindspeed
