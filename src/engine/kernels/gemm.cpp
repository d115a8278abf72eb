#include "engine/kernels/gemm.h"

#include "front/base/machine.h"

// The BLAS inside libtorch (Fortran calling convention, 32-bit integers, column-major).
extern "C" void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                       const float* alpha, const float* a, const int* lda, const float* b, const int* ldb,
                       const float* beta, float* c, const int* ldc);

namespace mindspeed::kernels {
namespace {

bool through_fp32(const at::Tensor& x) {
  if (x.scalar_type() == at::kBFloat16) return !processor().bf16_matmul;
  return x.scalar_type() != at::kFloat;
}

}  // namespace

void sgemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, float alpha, const float* a,
           int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc) {
  // A row-major matrix is its transpose in column-major order: C^T = op(B)^T op(A)^T.
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), inner = static_cast<int>(k);
  const int ia = static_cast<int>(lda), ib = static_cast<int>(ldb), ic = static_cast<int>(ldc);
  sgemm_(transpose_b ? "T" : "N", transpose_a ? "T" : "N", &columns, &rows, &inner, &alpha, b, &ib, a, &ia,
         &beta, c, &ic);
}

at::Tensor matmul_operand(const at::Tensor& w) { return through_fp32(w) ? w.to(at::kFloat) : w; }

at::Tensor matmul_nt(const at::Tensor& x, const at::Tensor& w) {
  if (!through_fp32(x)) return at::mm(x, w.t());
  return at::mm(x.to(at::kFloat), w.to(at::kFloat).t()).to(x.scalar_type());
}

at::Tensor matmul_nn(const at::Tensor& g, const at::Tensor& w) {
  if (!through_fp32(g)) return at::mm(g, w);
  return at::mm(g.to(at::kFloat), w.to(at::kFloat)).to(g.scalar_type());
}

void accumulate_tn(at::Tensor& dw, const at::Tensor& g, const at::Tensor& x) {
  dw.addmm_(g.to(at::kFloat).t(), x.to(at::kFloat));
}

}  // namespace mindspeed::kernels
