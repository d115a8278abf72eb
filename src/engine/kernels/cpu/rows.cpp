#include "engine/kernels/cpu/rows.h"

#include <bit>
#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MS_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MS_CLONES
#endif
#define MS_INLINE static inline __attribute__((always_inline))

namespace mindspeed::kernels::rows {
namespace {

// Values summed in fp32 before they go to an fp64 total: a vocabulary's 50,000 small probabilities added one
// by one to a large fp32 sum would lose 1e-4 of it.
constexpr int64_t kSumBlock = 256;

// exp by range reduction to |r| <= ln2 / 2 and a degree-6 polynomial (Cephes expf); about 1 ulp. Underflows
// to 0.
MS_INLINE float fast_exp(float x) {
  const float clamped = x < -87.3f ? -87.3f : (x > 88.3f ? 88.3f : x);
  const float rounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  const float n = (clamped * 1.44269504088896341f + rounder) - rounder;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float y = p * r * r + r + 1.0f;
  const float power = std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
  return x < -87.3f ? 0.0f : y * power;
}

MS_INLINE float sigmoid(float x) { return 1.0f / (1.0f + fast_exp(-x)); }

}  // namespace

MS_CLONES float maximum(const float* x, int64_t n) {
  float best = x[0];
#pragma omp simd reduction(max : best)
  for (int64_t i = 0; i < n; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

MS_CLONES float dot(const float* a, const float* b, int64_t n) {
  float total = 0.0f;
#pragma omp simd reduction(+ : total)
  for (int64_t i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

MS_CLONES float exp_shifted(float* x, int64_t n, float shift) {
  double total = 0.0;
  for (int64_t begin = 0; begin < n; begin += kSumBlock) {
    const int64_t end = begin + kSumBlock < n ? begin + kSumBlock : n;
    float part = 0.0f;
#pragma omp simd reduction(+ : part)
    for (int64_t i = begin; i < end; ++i) {
      const float e = fast_exp(x[i] - shift);
      x[i] = e;
      part += e;
    }
    total += part;
  }
  return static_cast<float>(total);
}

MS_CLONES void scale(float* x, int64_t n, float factor) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) x[i] *= factor;
}

MS_CLONES void axpy(float* y, const float* x, int64_t n, float factor) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

MS_CLONES void rms_normalise(const float* x, const float* w, float* y, int64_t n, float inverse_rms,
                             float offset) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] * inverse_rms) * (w[i] + offset);
}

MS_CLONES void rms_normalise_grad(const float* x, const float* w, const float* dy, float* dx, float* dw,
                                  int64_t n, float inverse_rms, float offset) {
  float projection = 0.0f;
#pragma omp simd reduction(+ : projection)
  for (int64_t i = 0; i < n; ++i) projection += dy[i] * (w[i] + offset) * x[i];
  const float correction = projection * inverse_rms * inverse_rms * inverse_rms / static_cast<float>(n);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    dw[i] += dy[i] * x[i] * inverse_rms;
    dx[i] = inverse_rms * (w[i] + offset) * dy[i] - x[i] * correction;
  }
}

MS_CLONES void silu_mul(const float* gate, const float* up, float* out, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) out[i] = gate[i] * sigmoid(gate[i]) * up[i];
}

MS_CLONES void silu_mul_grad(const float* gate, const float* up, const float* dout, float* dgate, float* dup,
                             int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const float s = sigmoid(gate[i]);
    const float d = dout[i];
    const float silu = gate[i] * s;
    dgate[i] = d * up[i] * (s + silu * (1.0f - s));
    dup[i] = d * silu;
  }
}

MS_CLONES void rotate_half(const float* x, const float* cosine, const float* sine, float* y, int64_t half,
                           float sign) {
#pragma omp simd
  for (int64_t i = 0; i < half; ++i) {
    const float a = x[i];
    const float b = x[i + half];
    const float s = sign * sine[i];
    y[i] = a * cosine[i] - b * s;
    y[i + half] = b * cosine[i] + a * s;
  }
}

MS_CLONES void rotate_interleaved(const float* x, const float* cosine, const float* sine, float* y,
                                  int64_t half, float sign) {
  for (int64_t i = 0; i < half; ++i) {
    const float a = x[2 * i];
    const float b = x[2 * i + 1];
    const float s = sign * sine[i];
    y[2 * i] = a * cosine[i] - b * s;
    y[2 * i + 1] = b * cosine[i] + a * s;
  }
}

MS_CLONES void softmax_grad(const float* p, float* dp, int64_t n, float delta, float scale) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) dp[i] = p[i] * (dp[i] - delta) * scale;
}

}  // namespace mindspeed::kernels::rows
