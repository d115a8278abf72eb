#include "front/planner/architecture.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/values.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

struct Trait {
  const char* flag;
  std::string value;  // as the user would write it; empty = the model has no such thing
};

std::string switch_text(bool on) { return on ? "true" : "false"; }

template <class Op>
const Op* first_op(const ModelSpec& model) {
  for (const LayerSpec& layer : model.layers)
    for (const BranchSpec& branch : layer.branches)
      if (const auto* op = std::get_if<Op>(&branch.op)) return op;
  return nullptr;
}

// The word of --rope-scaling-type; empty for none.
std::string scaling_name(RopeScaling scaling) {
  switch (scaling) {
    case RopeScaling::none:
      return "";
    case RopeScaling::linear:
      return "linear";
    case RopeScaling::dynamic:
      return "dynamic";
    case RopeScaling::llama3:
      return "llama3";
    case RopeScaling::yarn:
      return "yarn";
    case RopeScaling::longrope:
      return "longrope";
  }
  return "";
}

void add_rope(const AttentionSpec& attention, std::vector<Trait>& out) {
  if (!attention.rope) return;
  const RopeSpec& rope = *attention.rope;
  out.push_back({"rotary-base", fmt::format("{}", rope.theta)});
  out.push_back({"rotary-percent",
                 fmt::format("{}", static_cast<double>(rope.dim) / static_cast<double>(attention.head_dim))});
  const bool llama3 = rope.scaling == RopeScaling::llama3;
  const auto only = [](bool applies, auto value) {
    return applies ? fmt::format("{}", value) : std::string();
  };
  out.push_back({"rope-scaling-type", scaling_name(rope.scaling)});
  out.push_back({"rope-scaling-factor", only(rope.scaling != RopeScaling::none, rope.factor)});
  out.push_back({"low-freq-factor", only(llama3, rope.low_freq_factor)});
  out.push_back({"high-freq-factor", only(llama3, rope.high_freq_factor)});
  out.push_back({"original-max-position-embeddings", only(llama3, rope.original_max_position)});
}

void add_attention(const AttentionSpec& a, std::vector<Trait>& out) {
  out.push_back({"num-attention-heads", fmt::format("{}", a.heads)});
  out.push_back({"num-query-groups", fmt::format("{}", a.kv_heads)});
  out.push_back({"kv-channels", fmt::format("{}", a.head_dim)});
  out.push_back({"qk-layernorm", switch_text(a.qk_norm.has_value())});
  out.push_back({"add-qkv-bias", switch_text(a.qkv_bias)});
  out.push_back({"add-dense-bias", switch_text(a.out_bias)});
  out.push_back({"position-embedding-type", a.rope ? "rope" : "none"});
  out.push_back({"sliding-window", a.window > 0 ? fmt::format("{}", a.window) : ""});
  add_rope(a, out);
}

// The architecture of a model in the words of the flags.
std::vector<Trait> traits_of(const ModelSpec& model) {
  std::vector<Trait> out;
  out.push_back({"num-layers", fmt::format("{}", model.layers.size())});
  out.push_back({"hidden-size", fmt::format("{}", model.hidden)});
  out.push_back({"vocab-size", fmt::format("{}", model.vocab)});
  out.push_back({"untie-embeddings-and-output-weights", switch_text(!model.head.tied)});
  if (model.head.norm) {
    out.push_back({"normalization", model.head.norm->kind == NormKind::rms ? "RMSNorm" : "LayerNorm"});
    out.push_back({"norm-epsilon", fmt::format("{}", model.head.norm->eps)});
  }
  const auto* attention = first_op<AttentionSpec>(model);
  const auto* dense = first_op<DenseSpec>(model);
  if (attention != nullptr) add_attention(*attention, out);
  if (dense != nullptr) {
    out.push_back({"ffn-hidden-size", fmt::format("{}", dense->ffn)});
    out.push_back({"swiglu", switch_text(dense->gated && dense->activation == Activation::silu)});
  }
  const bool biased = (dense != nullptr && dense->bias) || (attention != nullptr && attention->out_bias);
  out.push_back({"disable-bias-linear", switch_text(!biased)});
  return out;
}

// A flag that describes the model in full is compared also where it is absent: only switches, as sizes have
// defaults.
bool compared(const Settings& settings, const Trait& trait, bool complete) {
  if (settings.given(trait.flag)) return true;
  if (!complete) return false;
  const std::string_view flag = trait.flag;
  return flag == "qk-layernorm" || flag == "swiglu" || flag == "disable-bias-linear" ||
         flag == "normalization";
}

void require_position_room(const Settings& settings, const ModelSpec& model, std::string_view origin) {
  if (!settings.given("max-position-embeddings")) return;
  const int64_t given = settings.integer("max-position-embeddings");
  const auto* attention = first_op<AttentionSpec>(model);
  const bool matters =
      attention != nullptr && attention->rope && attention->rope->scaling == RopeScaling::dynamic;
  // Below the model's own limit the flag only bounds --seq-length, unless the rope depends on it.
  if (given > model.max_position || (matters && given != model.max_position))
    refuse("--max-position-embeddings", "{} came, but {} says {}; drop the flag or give that value", given,
           origin, model.max_position);
}

int64_t required(const Settings& settings, std::string_view name) {
  if (!settings.has(name))
    refuse(
        "model",
        "--{} is missing; sizes given by flags need --num-layers, --hidden-size, --num-attention-heads and a "
        "vocabulary; or use --model DIR or --preset NAME",
        name);
  return settings.integer(name);
}

const models::Family& family_of(const Settings& settings) {
  if (settings.given("spec")) return models::family_of_spec_module(settings.list("spec").front());
  if (settings.given("model-type-hf"))
    return models::family_of_mindspeed_type(settings.text("model-type-hf"));
  if (settings.flag("qk-layernorm")) return models::family("qwen3");
  if (settings.flag("add-qkv-bias") && !settings.flag("add-dense-bias")) return models::family("qwen2");
  if (settings.given("sliding-window")) return models::family("mistral");
  return models::family("llama");
}

// Old-style rope keys, which every family reads.
void add_rope_keys(const Settings& settings, Json& config) {
  config["rope_theta"] = settings.real_or("rotary-base", 10000);
  std::string type = settings.text("rope-scaling-type");
  double factor = settings.real_or("rope-scaling-factor", 1.0);
  if (settings.has("rotary-seq-len-interpolation-factor")) {
    if (!type.empty())
      refuse("--rotary-seq-len-interpolation-factor",
             "it came with --rope-scaling-type; give one of the two");
    type = "linear";
    factor = static_cast<double>(settings.integer("rotary-seq-len-interpolation-factor"));
  }
  if (type.empty()) return;
  Json scaling{{"rope_type", type}, {"factor", factor}};
  if (type == "llama3") {
    scaling["low_freq_factor"] = settings.real_or("low-freq-factor", 1.0);
    scaling["high_freq_factor"] = settings.real_or("high-freq-factor", 4.0);
    scaling["original_max_position_embeddings"] =
        settings.integer_or("original-max-position-embeddings", 8192);
  }
  config["rope_scaling"] = scaling;
}

void require_rope_positions(const Settings& settings) {
  const bool rope =
      settings.text("position-embedding-type") == "rope" || settings.flag("use-rotary-position-embeddings");
  if (!rope)
    refuse("--position-embedding-type",
           "'{}' came; rope was needed: no built-in family has other positions yet",
           settings.has("position-embedding-type") ? settings.text("position-embedding-type")
                                                   : "learned_absolute (default)");
}

int64_t vocabulary_of(const Settings& settings) {
  if (settings.has("vocab-size")) return settings.integer("vocab-size");
  return required(settings, "padded-vocab-size");
}

}  // namespace

bool describes_model(const Settings& settings) { return settings.given("num-layers"); }

Json config_from_flags(const Settings& settings) {
  const models::Family& family = family_of(settings);
  require_rope_positions(settings);
  const int64_t hidden = required(settings, "hidden-size");
  const int64_t heads = required(settings, "num-attention-heads");
  if (!settings.given("kv-channels") && hidden % heads != 0)
    refuse("--num-attention-heads",
           "{} heads do not divide hidden-size {}; give --kv-channels or another number", heads, hidden);
  if (settings.given("num-query-groups") && !settings.flag("group-query-attention"))
    refuse("--num-query-groups", "it came without --group-query-attention, which switches it on");
  const bool bias = !settings.flag("disable-bias-linear");
  Json config{{"model_type", family.name},
              {"architectures", {family.architecture}},
              {"vocab_size", vocabulary_of(settings)},
              {"hidden_size", hidden},
              {"intermediate_size", settings.integer_or("ffn-hidden-size", 4 * hidden)},
              {"num_hidden_layers", required(settings, "num-layers")},
              {"num_attention_heads", heads},
              {"num_key_value_heads", settings.integer_or("num-query-groups", heads)},
              {"hidden_act", "silu"},
              {"max_position_embeddings",
               settings.integer_or("max-position-embeddings", settings.integer_or("seq-length", 2048))},
              {"initializer_range", settings.real("init-method-std")},
              {"rms_norm_eps", settings.real_or("norm-epsilon", 1e-5)},
              {"tie_word_embeddings", !settings.flag("untie-embeddings-and-output-weights")}};
  if (settings.given("kv-channels") || family.name == "qwen3")
    config["head_dim"] = settings.integer_or("kv-channels", hidden / heads);
  if (family.name == "llama" || family.name == "qwen3")
    config["attention_bias"] = bias || (settings.flag("add-qkv-bias") && settings.flag("add-dense-bias"));
  if (family.name == "llama") config["mlp_bias"] = bias;
  if (family.name == "mistral" && settings.given("sliding-window"))
    config["sliding_window"] = settings.integer("sliding-window");
  add_rope_keys(settings, config);
  return config;
}

void require_agreement(const Settings& settings, const ModelSpec& model, std::string_view origin,
                       bool complete) {
  for (const Trait& trait : traits_of(model)) {
    if (!compared(settings, trait, complete)) continue;
    const Setting& setting = settings.at(trait.flag);
    const std::vector<std::string> given =
        setting.words.empty() ? std::vector<std::string>{"LayerNorm"} : setting.words;
    const bool equal = !trait.value.empty() && same_value(*setting.field, given, {trait.value});
    if (!equal)
      refuse(fmt::format("--{}", trait.flag), "{} {}, but {} says {}; drop the flag or make both agree",
             join(given, " "), settings.given(trait.flag) ? "came" : "is the default", origin,
             trait.value.empty() ? "none" : trait.value);
  }
  if (settings.given("model-type-hf") &&
      models::family_of_mindspeed_type(settings.text("model-type-hf")).name != model.family)
    refuse("--model-type-hf", "{} came, but {} is a {} model", settings.text("model-type-hf"), origin,
           model.family);
  if (settings.given("spec") &&
      models::family_of_spec_module(settings.list("spec").front()).name != model.family)
    refuse("--spec", "{} came, but {} is a {} model", settings.list("spec").front(), origin, model.family);
  require_position_room(settings, model, origin);
}

}  // namespace mindspeed
