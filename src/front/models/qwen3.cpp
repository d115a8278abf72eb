// Qwen3 dense models: RMS norm on every q and k head, head_dim apart from hidden / heads, no bias by default.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "front/models/builtin.h"
#include "front/models/common/decoder.h"

namespace mindspeed::models {
namespace {

ModelSpec spec(ConfigReader& config) {
  ModelSpec model =
      read_decoder(config, {.kv_heads = 32, .head_dim = 128, .max_position = 32768, .qk_norm = true});
  const bool bias = config.flag("attention_bias", false);
  const std::vector<int64_t> windows = read_qwen_windows(config, static_cast<int64_t>(model.layers.size()));
  for (size_t i = 0; i < model.layers.size(); ++i) {
    AttentionSpec& a = attention(model.layers[i]);
    a.qkv_bias = bias;
    a.out_bias = bias;
    a.window = windows[i];
  }
  return model;
}

Json config(const ModelSpec& model) {
  Json json = write_decoder(model);
  json["attention_bias"] = attention(model.layers.front()).qkv_bias;
  write_qwen_windows(model, json);
  return json;
}

NameMap gguf_names(const ModelSpec& model) { return gguf_decoder_names(model, false); }

std::string debug(bool tied) {
  return fmt::format(
      R"({{"model_type": "qwen3", "vocab_size": 256, "hidden_size": 64, "intermediate_size": 96,
  "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32, "hidden_act": "silu",
  "max_position_embeddings": 512, "rms_norm_eps": 1e-6, "tie_word_embeddings": {},
  "rope_parameters": {{"rope_type": "default", "rope_theta": 1000000.0}}, "dtype": "float32"}})",
      tied);
}

// The released sizes differ in these numbers only.
struct Size {
  int hidden, ffn, layers, heads;
  bool tied;
};
std::string released(const Size& s) {
  return fmt::format(R"({{"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "vocab_size": 151936,
  "hidden_size": {}, "intermediate_size": {}, "num_hidden_layers": {}, "num_attention_heads": {},
  "num_key_value_heads": 8, "head_dim": 128, "hidden_act": "silu", "max_position_embeddings": 40960,
  "initializer_range": 0.02, "rms_norm_eps": 1e-6, "attention_bias": false, "attention_dropout": 0.0,
  "tie_word_embeddings": {}, "rope_theta": 1000000, "rope_scaling": null, "sliding_window": null,
  "use_sliding_window": false, "max_window_layers": {}, "bos_token_id": 151643, "eos_token_id": 151645,
  "torch_dtype": "bfloat16"}})",
                     s.hidden, s.ffn, s.layers, s.heads, s.tied, s.layers);
}

// The shape that bench/ measures against transformers (bench/models/qwen3_80m.json).
constexpr const char* kBench = R"({"model_type": "qwen3", "vocab_size": 32000, "hidden_size": 512,
  "intermediate_size": 2048, "num_hidden_layers": 14, "num_attention_heads": 8, "num_key_value_heads": 4,
  "head_dim": 128, "hidden_act": "silu", "max_position_embeddings": 4096, "rms_norm_eps": 1e-6,
  "tie_word_embeddings": true, "attention_bias": false, "rope_theta": 1000000.0, "dtype": "float32"})";

}  // namespace

Family qwen3() {
  Family f;
  f.name = "qwen3";
  f.architecture = "Qwen3ForCausalLM";
  f.gguf_arch = "qwen3";
  f.spec_modules = {"mindspeed_llm.tasks.models.spec.qwen3_spec"};
  f.mindspeed_types = {"qwen3"};
  f.presets = {{"debug", debug(false)},
               {"debug-tied", debug(true)},
               {"qwen3-80m", kBench},
               {"qwen3-0.6b", released({1024, 3072, 28, 16, true})},
               {"qwen3-1.7b", released({2048, 6144, 28, 16, true})},
               {"qwen3-4b", released({2560, 9728, 36, 32, true})},
               {"qwen3-8b", released({4096, 12288, 36, 32, false})},
               {"qwen3-14b", released({5120, 17408, 40, 40, false})},
               {"qwen3-32b", released({5120, 25600, 64, 64, false})}};
  f.spec = spec;
  f.config = config;
  f.hf_names = hf_decoder_names;
  f.gguf_names = gguf_names;
  return f;
}

}  // namespace mindspeed::models
