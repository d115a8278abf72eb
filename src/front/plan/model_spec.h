// The spec tree: what a model is, as plain data. A family file (front/models) makes it from config.json; the
// parameter table, the forecast and the engine read it. New kinds of layers are new structs in OpSpec.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mindspeed {

enum class NormKind { rms, layer };

// rms: y = x / sqrt(mean(x^2) + eps) * w        layer: y = (x - mean) / sqrt(var + eps) * w + b
struct NormSpec {
  NormKind kind = NormKind::rms;
  double eps = 1e-6;
  bool unit_offset = false;  // weight is stored as w - 1 (Gemma)
  bool bias = false;
};

enum class RopeScaling { none, linear, dynamic, llama3, yarn, longrope };

// Rotary positions. inverse frequency i = theta^(-2i/dim), changed by `scaling` (see kernels/rope.h).
struct RopeSpec {
  double theta = 10000.0;
  int64_t dim = 0;           // rotated channels per head, <= head_dim
  bool interleaved = false;  // pairs (2i, 2i+1) instead of (i, i + dim/2)
  RopeScaling scaling = RopeScaling::none;
  double factor = 1.0;
  double low_freq_factor = 1.0;   // llama3
  double high_freq_factor = 4.0;  // llama3
  int64_t original_max_position = 0;  // llama3, yarn, longrope; for dynamic: max_position_embeddings
  double attention_factor = 1.0;      // yarn, longrope: multiplies cos and sin
  double beta_fast = 32.0, beta_slow = 1.0;  // yarn
  std::vector<double> short_factor, long_factor;  // longrope, dim/2 entries each
};

// Multi-head attention with grouped KV heads.
struct AttentionSpec {
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;
  bool qkv_bias = false;
  bool out_bias = false;
  std::optional<NormSpec> qk_norm;  // per head, before rope, weights of length head_dim
  std::optional<RopeSpec> rope;
  int64_t window = 0;  // keys [q - window + 1, q]; 0 = all earlier keys
  double scale = 0.0;  // of q k^T; set by the family, usually head_dim^-0.5
  double soft_cap = 0.0;  // 0 = none
  double dropout = 0.0;
};

enum class Activation { silu, gelu, gelu_tanh, relu, relu2 };

// Feed-forward: down(act(gate) * up) when gated, else down(act(up)).
struct DenseSpec {
  int64_t ffn = 0;
  Activation activation = Activation::silu;
  bool gated = true;
  bool bias = false;
};

using OpSpec = std::variant<AttentionSpec, DenseSpec>;

// y = residual + scale * post_norm(op(pre_norm(x)))
struct BranchSpec {
  std::string name;  // last part of the parameter prefix: "attn", "mlp"
  std::optional<NormSpec> pre_norm;
  OpSpec op;
  std::optional<NormSpec> post_norm;
  double scale = 1.0;
};

enum class Residual { sum, parallel };  // sum: one branch after the other; parallel: all read the layer's input

struct LayerSpec {
  std::vector<BranchSpec> branches;
  Residual residual = Residual::sum;
};

struct EmbeddingSpec {
  double scale = 1.0;
  int64_t learned_positions = 0;  // rows of a learned absolute position table, 0 = none
};

// Language-model head: logits = scale * (norm(x) W^T), then soft_cap * tanh(logits / soft_cap).
struct HeadSpec {
  std::optional<NormSpec> norm;
  bool tied = false;  // W is the embedding table
  bool bias = false;
  double scale = 1.0;
  double soft_cap = 0.0;
};

struct ModelSpec {
  std::string family;      // registry name: "llama", "qwen3", ...
  int64_t hidden = 0;
  int64_t vocab = 0;       // true vocabulary; padding belongs to the layout
  int64_t max_position = 0;
  EmbeddingSpec embedding;
  std::vector<LayerSpec> layers;
  HeadSpec head;
  double init_std = 0.02;
  // Standard deviation of the projections that write to the residual stream, init_std / sqrt(2 layers) as in
  // Megatron (scaled_init_method_normal).
  double init_std_out() const { return init_std / std::sqrt(2.0 * static_cast<double>(layers.size())); }
  double hidden_dropout = 0.0;
};

}  // namespace mindspeed
