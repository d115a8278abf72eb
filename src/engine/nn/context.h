// What travels beside the Flow: everything that is not differentiated.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace mindspeed {

class KvCache;

enum class HeadMode {
  loss,         // the head returns the weighted sum of token losses (a scalar) and keeps its gradient
  logits,       // [B, T, V] fp32 (all ranks of tp gathered, true vocabulary)
  last_logits,  // [B, V] at each row's last valid position (see last_index)
  token_loss,   // [B, T] fp32 negative log-likelihood of the labels, no gradient
};

struct StepContext {
  at::Tensor tokens;       // [B, T] int64
  at::Tensor positions;    // [B, T] int64, rotary positions
  at::Tensor labels;       // [B, T] int64; head modes loss and token_loss
  at::Tensor row_weights;  // [B, T] fp32: loss mask / supervised tokens of the global batch
  at::Tensor
      doc_starts;  // [B, T] int64 or undefined: first key that a query may see (document-wise attention)
  at::Tensor last_index;  // [B] int64: HeadMode::last_logits
  at::Tensor sample_ids;  // [B] int64: which sample of the run each row is, keys the dropout randomness
  HeadMode head = HeadMode::loss;
  bool training = false;  // dropout on
  uint64_t seed = 0;
  double loss_scale = 1.0;
  KvCache* cache = nullptr;  // keys and values of earlier tokens; forward only
};

// The value that passes from block to block and over pipeline borders: the hidden states, differentiable.
struct Flow {
  at::Tensor hidden;  // [B, T, H]; a scalar after the head in loss mode; undefined before the embedding
};

}  // namespace mindspeed
