// LLaMA 1-3 and its many relatives (SmolLM2, Yi, ...): config class LlamaConfig of transformers.
#include "front/models/builtin.h"

#include <nlohmann/json.hpp>

#include "front/models/common/decoder.h"

namespace mindspeed::models {
namespace {

ModelSpec spec(ConfigReader& config) {
  ModelSpec model = read_decoder(config, {.max_position = 2048});
  const bool attention_bias = config.flag("attention_bias", false);
  const bool mlp_bias = config.flag("mlp_bias", false);
  config.only("sliding_window", "null",
              "the llama family attends to all earlier tokens; mistral has a window");
  for (LayerSpec& layer : model.layers) {
    attention(layer).qkv_bias = attention_bias;
    attention(layer).out_bias = attention_bias;
    dense(layer).bias = mlp_bias;
  }
  return model;
}

Json config(const ModelSpec& model) {
  Json json = write_decoder(model);
  json["attention_bias"] = attention(model.layers.front()).qkv_bias;
  json["mlp_bias"] = dense(model.layers.front()).bias;
  return json;
}

NameMap gguf_names(const ModelSpec& model) { return gguf_decoder_names(model, true); }

constexpr const char* kDebug =
    R"({"model_type": "llama", "vocab_size": 256, "hidden_size": 64, "intermediate_size": 96,
  "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "hidden_act": "silu",
  "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "attention_bias": true, "mlp_bias": true,
  "tie_word_embeddings": false, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0,
  "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}, "dtype": "float32"})";

constexpr const char* kLlama32_1b = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
  "vocab_size": 128256, "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
  "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "hidden_act": "silu",
  "max_position_embeddings": 131072, "initializer_range": 0.02, "rms_norm_eps": 1e-5, "attention_bias": false,
  "mlp_bias": false, "attention_dropout": 0.0, "tie_word_embeddings": true, "rope_theta": 500000.0,
  "rope_scaling": {"factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
  "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "bos_token_id": 128000, "eos_token_id": 128001,
  "torch_dtype": "bfloat16"})";

constexpr const char* kLlama31_8b = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
  "vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_act": "silu", "max_position_embeddings": 131072,
  "initializer_range": 0.02, "rms_norm_eps": 1e-5, "attention_bias": false, "mlp_bias": false,
  "attention_dropout": 0.0, "tie_word_embeddings": false, "rope_theta": 500000.0,
  "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
  "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "bos_token_id": 128000, "eos_token_id": 128001,
  "torch_dtype": "bfloat16"})";

constexpr const char* kSmolLm2_135m = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
  "vocab_size": 49152, "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30,
  "num_attention_heads": 9, "num_key_value_heads": 3, "hidden_act": "silu", "max_position_embeddings": 8192,
  "initializer_range": 0.041666666666666664, "rms_norm_eps": 1e-5, "attention_bias": false, "mlp_bias": false,
  "attention_dropout": 0.0, "tie_word_embeddings": true, "rope_theta": 100000, "rope_interleaved": false,
  "rope_scaling": null, "bos_token_id": 0, "eos_token_id": 0, "torch_dtype": "bfloat16"})";

}  // namespace

Family llama() {
  Family f;
  f.name = "llama";
  f.architecture = "LlamaForCausalLM";
  f.gguf_arch = "llama";
  f.mindspeed_types = {"llama2"};
  f.presets = {{"debug", kDebug},
               {"llama3.2-1b", kLlama32_1b},
               {"llama3.1-8b", kLlama31_8b},
               {"smollm2-135m", kSmolLm2_135m}};
  f.spec = spec;
  f.config = config;
  f.hf_names = hf_decoder_names;
  f.gguf_names = gguf_names;
  return f;
}

}  // namespace mindspeed::models
