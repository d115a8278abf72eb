// The decoder block that llama, qwen2, qwen3 and mistral share: pre-norm, attention, pre-norm, gated
// feed-forward. Families say where they differ; this file turns that into a spec tree, a config.json and name
// maps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "front/base/json.h"
#include "front/models/common/config_reader.h"
#include "front/plan/model_spec.h"
#include "front/plan/name_map.h"

namespace mindspeed::models {

// Defaults of transformers 5.24 where config.json is silent, and the fixed traits of a family.
struct DecoderTraits {
  int64_t kv_heads = 0;  // 0 = as many as query heads
  int64_t head_dim = 0;  // 0 = hidden / heads
  int64_t max_position = 0;
  bool qk_norm = false;
};

// Reads the keys that all four families have; the window, biases and rope are read by the family and set
// below. Sizes are checked: heads divide over kv_heads, head_dim is even.
ModelSpec read_decoder(ConfigReader& config, const DecoderTraits& traits);

// The attention or feed-forward part of a layer that read_decoder made.
AttentionSpec& attention(LayerSpec& layer);
const AttentionSpec& attention(const LayerSpec& layer);
DenseSpec& dense(LayerSpec& layer);
const DenseSpec& dense(const LayerSpec& layer);

// config.json keys that all four families share, with model_type = model.family.
Json write_decoder(const ModelSpec& model);

// Adds Qwen's window keys: use_sliding_window, sliding_window, max_window_layers, layer_types.
void write_qwen_windows(const ModelSpec& model, Json& config);

// Hugging Face names ("model.layers.0.self_attn.q_proj.weight"), from the spec tree alone.
NameMap hf_decoder_names(const ModelSpec& model);

// GGUF names ("blk.0.attn_q.weight"). GGUF stores q and k of the "llama" architecture with interleaved rope
// pairs.
NameMap gguf_decoder_names(const ModelSpec& model, bool interleaved_rope);

}  // namespace mindspeed::models
