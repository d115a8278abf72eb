// Qwen1.5, Qwen2 and Qwen2.5 dense models: bias on q, k and v only, optional sliding window in the upper
// layers.
#include <nlohmann/json.hpp>

#include "front/models/builtin.h"
#include "front/models/common/decoder.h"

namespace mindspeed::models {
namespace {

ModelSpec spec(ConfigReader& config) {
  ModelSpec model = read_decoder(config, {.kv_heads = 32, .max_position = 32768});
  const std::vector<int64_t> windows = read_qwen_windows(config, static_cast<int64_t>(model.layers.size()));
  for (size_t i = 0; i < model.layers.size(); ++i) {
    attention(model.layers[i]).qkv_bias = true;
    attention(model.layers[i]).window = windows[i];
  }
  return model;
}

Json config(const ModelSpec& model) {
  Json json = write_decoder(model);
  write_qwen_windows(model, json);
  return json;
}

NameMap gguf_names(const ModelSpec& model) { return gguf_decoder_names(model, false); }

constexpr const char* kDebug = R"({"model_type": "qwen2", "vocab_size": 256, "hidden_size": 64,
  "intermediate_size": 96, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2,
  "hidden_act": "silu", "max_position_embeddings": 512, "rms_norm_eps": 1e-6, "tie_word_embeddings": false,
  "use_sliding_window": true, "sliding_window": 16, "max_window_layers": 2,
  "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0}, "dtype": "float32"})";

constexpr const char* kQwen25_05b = R"({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"],
  "vocab_size": 151936, "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24,
  "num_attention_heads": 14, "num_key_value_heads": 2, "hidden_act": "silu", "max_position_embeddings": 32768,
  "initializer_range": 0.02, "rms_norm_eps": 1e-6, "attention_dropout": 0.0, "tie_word_embeddings": true,
  "rope_theta": 1000000.0, "sliding_window": 32768, "use_sliding_window": false, "max_window_layers": 24,
  "bos_token_id": 151643, "eos_token_id": 151643, "torch_dtype": "bfloat16"})";

constexpr const char* kQwen25_7b = R"({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"],
  "vocab_size": 152064, "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
  "num_attention_heads": 28, "num_key_value_heads": 4, "hidden_act": "silu", "max_position_embeddings": 131072,
  "initializer_range": 0.02, "rms_norm_eps": 1e-6, "attention_dropout": 0.0, "tie_word_embeddings": false,
  "rope_theta": 1000000.0, "sliding_window": 131072, "use_sliding_window": false, "max_window_layers": 28,
  "bos_token_id": 151643, "eos_token_id": 151643, "torch_dtype": "bfloat16"})";

}  // namespace

Family qwen2() {
  Family f;
  f.name = "qwen2";
  f.architecture = "Qwen2ForCausalLM";
  f.gguf_arch = "qwen2";
  f.mindspeed_types = {"qwen25"};
  f.presets = {{"debug", kDebug}, {"qwen2.5-0.5b", kQwen25_05b}, {"qwen2.5-7b", kQwen25_7b}};
  f.spec = spec;
  f.config = config;
  f.hf_names = hf_decoder_names;
  f.gguf_names = gguf_names;
  return f;
}

}  // namespace mindspeed::models
