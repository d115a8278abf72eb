// Inner loops over rows of fp32 values. Each is compiled for several instruction sets and chosen when the
// library is loaded (target_clones); arithmetic is the same on each up to the order of sums.
#pragma once

#include <cstdint>

namespace mindspeed::kernels::rows {

float maximum(const float* x, int64_t n);
float dot(const float* a, const float* b, int64_t n);
// x <- exp(x - shift); returns the sum of the results, accumulated in fp64 over blocks.
float exp_shifted(float* x, int64_t n, float shift);
void scale(float* x, int64_t n, float factor);
// y += factor * x
void axpy(float* y, const float* x, int64_t n, float factor);

// y = x * inverse_rms * (w + offset)
void rms_normalise(const float* x, const float* w, float* y, int64_t n, float inverse_rms, float offset);
// dx = inverse_rms * (w + offset) * dy - x * inverse_rms^3 * dot(dy * (w + offset), x) / n ;  dw += dy * x *
// inverse_rms
void rms_normalise_grad(const float* x, const float* w, const float* dy, float* dx, float* dw, int64_t n,
                        float inverse_rms, float offset);

// out = silu(gate) * up
void silu_mul(const float* gate, const float* up, float* out, int64_t n);
void silu_mul_grad(const float* gate, const float* up, const float* dout, float* dgate, float* dup,
                   int64_t n);

// Rotates pairs (x[i], x[i + half]) by the angle whose cosine and sine are given; `sign` = -1 rotates back.
void rotate_half(const float* x, const float* cosine, const float* sine, float* y, int64_t half, float sign);
// The same for pairs (x[2i], x[2i + 1]).
void rotate_interleaved(const float* x, const float* cosine, const float* sine, float* y, int64_t half,
                        float sign);

// dS = P * (dP - delta) * scale, in place in dP.
void softmax_grad(const float* p, float* dp, int64_t n, float delta, float scale);

}  // namespace mindspeed::kernels::rows
