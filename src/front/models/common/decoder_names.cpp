// Name maps of the shared decoder block: Hugging Face folders and GGUF files.
#include <fmt/format.h>

#include "front/models/common/decoder.h"

namespace mindspeed::models {
namespace {

// How one outside format spells the parts of a layer. `{}` of `layer` is the layer number.
struct Spelling {
  const char *embedding, *final_norm, *head, *layer;
  const char *attention_norm, *q, *k, *v, *out, *q_norm, *k_norm, *mlp_norm, *gate, *up, *down;
  bool interleaved_rope;
};

constexpr Spelling kHuggingFace{
    "model.embed_tokens", "model.norm",       "lm_head",          "model.layers.{}.",
    "input_layernorm",    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
    "self_attn.o_proj",   "self_attn.q_norm", "self_attn.k_norm", "post_attention_layernorm",
    "mlp.gate_proj",      "mlp.up_proj",      "mlp.down_proj",    false};
constexpr Spelling kGguf{"token_embd", "output_norm", "output",      "blk.{}.",     "attn_norm",   "attn_q",
                         "attn_k",     "attn_v",      "attn_output", "attn_q_norm", "attn_k_norm", "ffn_norm",
                         "ffn_gate",   "ffn_up",      "ffn_down",    false};

class MapBuilder {
 public:
  explicit MapBuilder(const Spelling& spelling) : s_(spelling) {}

  void single(const std::string& ours, const std::string& outside) {
    map_.parameters.push_back({ours, {{outside, "", Move::copy, 0}}});
  }

  void layer(size_t number, const AttentionSpec& a, const DenseSpec& d) {
    const std::string ours = fmt::format("layers.{}.", number);
    const std::string theirs = fmt::format(fmt::runtime(s_.layer), number);
    single(ours + "attn.norm.weight", theirs + s_.attention_norm + ".weight");
    for (const char* part : {".weight", ".bias"}) {
      if (part == std::string_view(".bias") && !a.qkv_bias) continue;
      map_.parameters.push_back({ours + "attn.qkv" + part,
                                 {rotated(theirs + s_.q + part, "q", a),
                                  rotated(theirs + s_.k + part, "k", a),
                                  {theirs + s_.v + part, "v", Move::copy, 0}}});
    }
    if (a.qk_norm) {
      single(ours + "attn.q_norm.weight", theirs + s_.q_norm + ".weight");
      single(ours + "attn.k_norm.weight", theirs + s_.k_norm + ".weight");
    }
    linear(ours + "attn.out", theirs + s_.out, a.out_bias);
    single(ours + "mlp.norm.weight", theirs + s_.mlp_norm + ".weight");
    for (const char* part : {".weight", ".bias"}) {
      if (part == std::string_view(".bias") && !d.bias) continue;
      map_.parameters.push_back(
          {ours + "mlp.gate_up" + part,
           {{theirs + s_.gate + part, "gate", Move::copy, 0}, {theirs + s_.up + part, "up", Move::copy, 0}}});
    }
    linear(ours + "mlp.down", theirs + s_.down, d.bias);
    order_layer(theirs, a, d);
  }

  NameMap& map() { return map_; }
  const Spelling& spelling() const { return s_; }

 private:
  Piece rotated(std::string outside, const char* segment, const AttentionSpec& a) const {
    if (!s_.interleaved_rope) return {std::move(outside), segment, Move::copy, 0};
    return {std::move(outside), segment, Move::interleaved_rope, a.head_dim};
  }

  void linear(const std::string& ours, const std::string& outside, bool bias) {
    single(ours + ".weight", outside + ".weight");
    if (bias) single(ours + ".bias", outside + ".bias");
  }

  // transformers registers the modules of a layer in this order.
  void order_layer(const std::string& theirs, const AttentionSpec& a, const DenseSpec& d) {
    const auto add = [&](const char* module, bool bias) {
      map_.order.push_back(theirs + module + ".weight");
      if (bias) map_.order.push_back(theirs + module + ".bias");
    };
    for (const char* module : {s_.q, s_.k, s_.v}) add(module, a.qkv_bias);
    add(s_.out, a.out_bias);
    if (a.qk_norm) add(s_.q_norm, false);
    if (a.qk_norm) add(s_.k_norm, false);
    for (const char* module : {s_.gate, s_.up, s_.down}) add(module, d.bias);
    add(s_.attention_norm, false);
    add(s_.mlp_norm, false);
  }

  Spelling s_;
  NameMap map_;
};

NameMap decoder_names(const ModelSpec& model, const Spelling& spelling) {
  MapBuilder builder(spelling);
  const auto single = [&](const char* ours, const char* theirs) {
    builder.single(ours, std::string(theirs) + ".weight");
    builder.map().order.push_back(std::string(theirs) + ".weight");
  };
  single("embedding.weight", spelling.embedding);
  for (size_t i = 0; i < model.layers.size(); ++i)
    builder.layer(i, attention(model.layers[i]), dense(model.layers[i]));
  single("head.norm.weight", spelling.final_norm);
  single("head.weight", spelling.head);
  return std::move(builder.map());
}

}  // namespace

NameMap hf_decoder_names(const ModelSpec& model) {
  NameMap map = decoder_names(model, kHuggingFace);
  map.ignored = {".self_attn.rotary_emb.inv_freq"};  // a table in old LLaMA files, computed from rope_theta
  return map;
}

NameMap gguf_decoder_names(const ModelSpec& model, bool interleaved_rope) {
  Spelling spelling = kGguf;
  spelling.interleaved_rope = interleaved_rope;
  return decoder_names(model, spelling);
}

}  // namespace mindspeed::models
