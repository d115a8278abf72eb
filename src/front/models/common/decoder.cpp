#include "front/models/common/decoder.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "front/base/error.h"

namespace mindspeed::models {
namespace {

constexpr int64_t kMostLayers = 10000;  // ten times the deepest published models

void check_heads(const ConfigReader& config, const AttentionSpec& a) {
  if (a.heads % a.kv_heads != 0)
    config.reject(
        fmt::format("num_attention_heads {} does not divide by num_key_value_heads {}", a.heads, a.kv_heads));
  if (a.head_dim % 2 != 0)
    config.reject(fmt::format("head_dim {} is odd; rope needs pairs of channels", a.head_dim));
}

AttentionSpec read_attention(ConfigReader& config, const DecoderTraits& traits, int64_t hidden,
                             const NormSpec& norm) {
  AttentionSpec a;
  a.heads = config.count("num_attention_heads");
  // Absent means the class default, null means one kv head per query head.
  const int64_t absent =
      traits.kv_heads > 0 && !config.present("num_key_value_heads") ? traits.kv_heads : a.heads;
  a.kv_heads = config.count("num_key_value_heads", absent);
  if (config.has("head_dim")) {
    a.head_dim = config.count("head_dim");
  } else if (traits.head_dim > 0) {
    a.head_dim = traits.head_dim;
  } else {
    if (hidden % a.heads != 0)
      config.reject(fmt::format("hidden_size {} does not divide by num_attention_heads {}; set head_dim",
                                hidden, a.heads));
    a.head_dim = hidden / a.heads;
  }
  check_heads(config, a);
  if (traits.qk_norm) a.qk_norm = norm;
  a.scale = 1.0 / std::sqrt(static_cast<double>(a.head_dim));
  a.dropout = config.number("attention_dropout", 0.0);
  if (!(a.dropout >= 0 && a.dropout < 1))
    config.reject(fmt::format("attention_dropout is {}; needed: 0 <= p < 1", a.dropout));
  return a;
}

template <class Op, class Layer>
auto& op_of(Layer& layer) {
  for (auto& branch : layer.branches)
    if (auto* op = std::get_if<Op>(&branch.op)) return *op;
  throw std::logic_error("decoder layer without the expected branch");
}

}  // namespace

AttentionSpec& attention(LayerSpec& layer) { return op_of<AttentionSpec>(layer); }
const AttentionSpec& attention(const LayerSpec& layer) { return op_of<AttentionSpec>(layer); }
DenseSpec& dense(LayerSpec& layer) { return op_of<DenseSpec>(layer); }
const DenseSpec& dense(const LayerSpec& layer) { return op_of<DenseSpec>(layer); }

ModelSpec read_decoder(ConfigReader& config, const DecoderTraits& traits) {
  ModelSpec model;
  model.hidden = config.count("hidden_size");
  model.vocab = config.count("vocab_size");
  model.max_position = config.count("max_position_embeddings", traits.max_position);
  model.init_std = config.number("initializer_range", 0.02);

  NormSpec norm;
  norm.eps = config.number("rms_norm_eps", 1e-6);
  if (!(norm.eps > 0)) config.reject(fmt::format("rms_norm_eps is {}; needed: > 0", norm.eps));

  AttentionSpec attention = read_attention(config, traits, model.hidden, norm);
  attention.rope = read_rope(config, attention.head_dim, model.max_position);
  DenseSpec dense;
  dense.ffn = config.count("intermediate_size");
  dense.activation = read_activation(config);

  const LayerSpec layer{{{"attn", norm, attention, {}, 1.0}, {"mlp", norm, dense, {}, 1.0}}, Residual::sum};
  const int64_t layers = config.count("num_hidden_layers");
  if (layers > kMostLayers)
    config.reject(fmt::format("\"num_hidden_layers\" is {}; needed: at most {}", layers, kMostLayers));
  model.layers.assign(static_cast<size_t>(layers), layer);
  model.head.norm = norm;
  model.head.tied = config.flag("tie_word_embeddings", false);
  return model;
}

namespace {

Json write_rope(const RopeSpec& rope) {
  Json block{{"rope_theta", rope.theta}, {"rope_type", "default"}};
  if (rope.scaling == RopeScaling::none) return block;
  block["factor"] = rope.factor;
  if (rope.scaling == RopeScaling::linear) block["rope_type"] = "linear";
  if (rope.scaling == RopeScaling::dynamic) block["rope_type"] = "dynamic";
  if (rope.scaling == RopeScaling::llama3) {
    block["rope_type"] = "llama3";
    block["low_freq_factor"] = rope.low_freq_factor;
    block["high_freq_factor"] = rope.high_freq_factor;
    block["original_max_position_embeddings"] = rope.original_max_position;
  }
  return block;
}

}  // namespace

Json write_decoder(const ModelSpec& model) {
  const AttentionSpec& a = attention(model.layers.front());
  const DenseSpec& d = dense(model.layers.front());
  return {{"model_type", model.family},
          {"vocab_size", model.vocab},
          {"hidden_size", model.hidden},
          {"intermediate_size", d.ffn},
          {"num_hidden_layers", model.layers.size()},
          {"num_attention_heads", a.heads},
          {"num_key_value_heads", a.kv_heads},
          {"head_dim", a.head_dim},
          {"hidden_act", activation_name(d.activation)},
          {"max_position_embeddings", model.max_position},
          {"initializer_range", model.init_std},
          {"rms_norm_eps", model.head.norm->eps},
          {"tie_word_embeddings", model.head.tied},
          {"attention_dropout", a.dropout},
          {"rope_parameters", write_rope(*a.rope)},
          {"use_cache", true}};
}

void write_qwen_windows(const ModelSpec& model, Json& config) {
  Json types = Json::array();
  int64_t window = 0;
  size_t first = model.layers.size();
  for (size_t i = 0; i < model.layers.size(); ++i) {
    const int64_t here = attention(model.layers[i]).window;
    types.push_back(here > 0 ? "sliding_attention" : "full_attention");
    if (here > 0) {
      window = here;
      first = std::min(first, i);
    }
  }
  config["layer_types"] = std::move(types);
  config["use_sliding_window"] = window > 0;
  config["sliding_window"] = window > 0 ? Json(window) : Json(nullptr);
  config["max_window_layers"] = first;
}

}  // namespace mindspeed::models
