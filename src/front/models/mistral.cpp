// Mistral 7B and relatives: llama's block with a sliding window in every layer and no biases.
#include <nlohmann/json.hpp>

#include "front/models/builtin.h"
#include "front/models/common/decoder.h"

namespace mindspeed::models {
namespace {

constexpr int64_t kWindow = 4096;  // of MistralConfig when the key is absent; null means none

ModelSpec spec(ConfigReader& config) {
  ModelSpec model = read_decoder(config, {.kv_heads = 8, .max_position = 131072});
  const int64_t window = config.count("sliding_window", config.present("sliding_window") ? 0 : kWindow);
  config.only("attention_bias", "false", "the mistral family has no biases");
  config.only("mlp_bias", "false", "the mistral family has no biases");
  for (LayerSpec& layer : model.layers) attention(layer).window = window;
  return model;
}

Json config(const ModelSpec& model) {
  Json json = write_decoder(model);
  const int64_t window = attention(model.layers.front()).window;
  json["sliding_window"] = window > 0 ? Json(window) : Json(nullptr);
  return json;
}

NameMap gguf_names(const ModelSpec& model) { return gguf_decoder_names(model, true); }

constexpr const char* kDebug = R"({"model_type": "mistral", "vocab_size": 256, "hidden_size": 64,
  "intermediate_size": 96, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
  "hidden_act": "silu", "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "tie_word_embeddings": false,
  "sliding_window": 16, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}, "dtype": "float32"})";

constexpr const char* kMistral7b = R"({"model_type": "mistral", "architectures": ["MistralForCausalLM"],
  "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_act": "silu", "max_position_embeddings": 32768,
  "initializer_range": 0.02, "rms_norm_eps": 1e-5, "tie_word_embeddings": false, "rope_theta": 10000.0,
  "sliding_window": 4096, "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16"})";

}  // namespace

Family mistral() {
  Family f;
  f.name = "mistral";
  f.architecture = "MistralForCausalLM";
  // GGUF files call Mistral "llama" and do not record the window, so they open as llama.
  f.presets = {{"debug", kDebug}, {"mistral-7b", kMistral7b}};
  f.spec = spec;
  f.config = config;
  f.hf_names = hf_decoder_names;
  f.gguf_names = gguf_names;
  return f;
}

}  // namespace mindspeed::models
