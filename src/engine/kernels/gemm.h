// Matrix products on the fastest route of this machine.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace mindspeed::kernels {

// C = alpha * op(A) op(B) + beta * C on row-major fp32 matrices, m x n with inner length k; leading
// dimensions count elements. BLAS sgemm of the library that libtorch carries; single-threaded when called
// inside a parallel region.
void sgemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, float alpha, const float* a,
           int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc);

// The form in which products read w: fp32 where w's type is computed in fp32 (fp16, and bf16 without bf16
// hardware), else w itself. For a w of many products.
at::Tensor matmul_operand(const at::Tensor& w);
// y [N, O] = x [N, I] w^T, w [O, I]. Result in x's dtype; fp16, and bf16 without bf16 hardware, compute in
// fp32.
at::Tensor matmul_nt(const at::Tensor& x, const at::Tensor& w);
// y [N, I] = g [N, O] w, w [O, I].
at::Tensor matmul_nn(const at::Tensor& g, const at::Tensor& w);
// dw [O, I] (fp32) += g^T x, g [N, O], x [N, I].
void accumulate_tn(at::Tensor& dw, const at::Tensor& g, const at::Tensor& x);

}  // namespace mindspeed::kernels
