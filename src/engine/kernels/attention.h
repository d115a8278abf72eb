// Softmax attention with grouped KV heads. fp32 arithmetic whatever the storage dtype.
#pragma once

#include <ATen/ATen.h>

#include <optional>

namespace mindspeed::kernels {

struct AttentionOptions {
  double scale = 1.0;     // of q k^T
  int64_t window = 0;     // a query at row i sees keys [i - window + 1, i]; 0 = all keys <= i
  double soft_cap = 0.0;  // scores become cap * tanh(scores / cap); 0 = off
};

// Causal self-attention over whole rows (training, prefill without a cache).
// q [B, h, T, d], k and v [B, g, T, d] (h a multiple of g; last dimension contiguous) -> [B, T, h, d]
// contiguous. doc_starts [B, T] int64: the first key each query may see (documents packed in one row); absent
// = 0. keep [B, h, T, T] fp32: dropout mask of the probabilities; absent = no dropout. Online-softmax
// statistics are kept and probabilities are recomputed block by block in backward (Dao et al. 2022).
at::Tensor causal_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const AttentionOptions& options,
                            const std::optional<at::Tensor>& doc_starts = std::nullopt,
                            const std::optional<at::Tensor>& keep = std::nullopt);

// Attention of new queries over a cache, forward only. q [B, h, T, d]; k, v [B, g, S, d] hold the keys at
// positions 0..S-1; a query at position p (positions [B, T]) sees keys [max(0, p - window + 1), p]. -> [B, T,
// h, d].
at::Tensor cached_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const at::Tensor& positions, const AttentionOptions& options);

}  // namespace mindspeed::kernels
