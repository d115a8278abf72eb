#include "front/models/common/config_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed::models {
namespace {

// Beyond any model, and products of two stay within 64 bits.
constexpr int32_t kLargestCount = std::numeric_limits<int32_t>::max();

}  // namespace

ConfigReader::ConfigReader(const Json& config, std::string_view origin) : config_(config), origin_(origin) {
  if (!config.is_object()) reject("is not a JSON object; needed: the config.json of a model");
}

void ConfigReader::reject(std::string_view message) const { refuse("config", "{}: {}", origin_, message); }

const Json* ConfigReader::find(std::string_view key) {
  read_.emplace(key);
  const auto it = config_.find(key);
  return it == config_.end() || it->is_null() ? nullptr : &*it;
}

bool ConfigReader::present(std::string_view key) const { return config_.contains(key); }

bool ConfigReader::has(std::string_view key) { return find(key) != nullptr; }

int64_t ConfigReader::count(std::string_view key) {
  if (!has(key))
    reject(fmt::format("key \"{}\" is missing; it sets a size of the model and has no default", key));
  return count(key, 0);
}

int64_t ConfigReader::count(std::string_view key, int64_t fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  // 40960.0 is how some tools write counts.
  const bool whole =
      value->is_number_integer() || (value->is_number() && std::abs(value->get<double>()) < 0x1p53 &&
                                     std::trunc(value->get<double>()) == value->get<double>());
  if (!whole || value->get<double>() < 1 || value->get<double>() > kLargestCount)
    reject(
        fmt::format("\"{}\" is {}; needed: a whole number from 1 to {}", key, value->dump(), kLargestCount));
  return value->get<int64_t>();
}

double ConfigReader::number(std::string_view key, double fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_number()) reject(fmt::format("\"{}\" is {}; needed: a number", key, value->dump()));
  return value->get<double>();
}

bool ConfigReader::flag(std::string_view key, bool fallback) {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) reject(fmt::format("\"{}\" is {}; needed: true or false", key, value->dump()));
  return value->get<bool>();
}

std::string ConfigReader::text(std::string_view key, std::string_view fallback) {
  const Json* value = find(key);
  if (value == nullptr) return std::string(fallback);
  if (!value->is_string()) reject(fmt::format("\"{}\" is {}; needed: a text", key, value->dump()));
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::texts(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  const bool all = value->is_array() &&
                   std::all_of(value->begin(), value->end(), [](const Json& e) { return e.is_string(); });
  if (!all) reject(fmt::format("\"{}\" is {}; needed: a list of texts", key, value->dump()));
  return value->get<std::vector<std::string>>();
}

const Json& ConfigReader::object(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr || !value->is_object()) reject(fmt::format("\"{}\" must be an object", key));
  return *value;
}

void ConfigReader::only(std::string_view key, std::string_view accepted, std::string_view reason) {
  const Json* value = find(key);
  if (value != nullptr && *value != Json::parse(accepted))
    reject(fmt::format("\"{}\" is {}; {}", key, value->dump(), reason));
}

void ConfigReader::finish(const std::vector<std::string>& harmless) const {
  const auto listed = [](const std::vector<std::string>& list, const std::string& key) {
    return std::find(list.begin(), list.end(), key) != list.end();
  };
  std::vector<std::string> known(read_.begin(), read_.end());
  std::vector<std::string> unknown;
  for (const auto& [key, value] : config_.items()) {
    if (read_.contains(key) || listed(harmless, key) || listed(common_harmless_keys(), key)) continue;
    const std::string near = nearest_name(key, known);
    unknown.push_back(fmt::format("\"{}\" ({}{})", key, value.dump().substr(0, 60),
                                  near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  if (!unknown.empty())
    reject(fmt::format(
        "unknown keys {}; each could change what the model computes, so none is dropped in silence. "
        "Remove them from config.json if they mean nothing here",
        join(unknown, ", ")));
}

Activation read_activation(ConfigReader& config) {
  const std::string name = config.text("hidden_act", "silu");
  if (name == "silu" || name == "swish") return Activation::silu;
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_pytorch_tanh" || name == "gelu_new") return Activation::gelu_tanh;
  if (name == "relu") return Activation::relu;
  if (name == "relu2") return Activation::relu2;
  config.reject(fmt::format(
      "\"hidden_act\" is \"{}\"; known: silu, swish, gelu, gelu_pytorch_tanh, gelu_new, relu, relu2", name));
}

std::string_view activation_name(Activation activation) {
  switch (activation) {
    case Activation::silu:
      return "silu";
    case Activation::gelu:
      return "gelu";
    case Activation::gelu_tanh:
      return "gelu_pytorch_tanh";
    case Activation::relu:
      return "relu";
    case Activation::relu2:
      return "relu2";
  }
  throw std::logic_error("activation_name: value outside the enum");
}

std::vector<int64_t> read_qwen_windows(ConfigReader& config, int64_t layers) {
  const bool use = config.flag("use_sliding_window", false);
  const int64_t window = config.count("sliding_window", 4096);
  const bool given = config.has("sliding_window");
  // 0 layers below the limit is legal here, so this is not a count().
  const auto first = static_cast<int64_t>(config.number("max_window_layers", 28));
  const std::vector<std::string> types = config.texts("layer_types");
  std::vector<int64_t> windows(static_cast<size_t>(layers), 0);
  if (types.empty()) {
    for (int64_t i = std::max<int64_t>(first, 0); use && i < layers; ++i)
      windows[static_cast<size_t>(i)] = window;
    return windows;
  }
  if (static_cast<int64_t>(types.size()) != layers)
    config.reject(
        fmt::format("\"layer_types\" has {} entries; needed: one per layer, {}", types.size(), layers));
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] == "full_attention") continue;
    if (types[i] != "sliding_attention")
      config.reject(fmt::format("\"layer_types\"[{}] is \"{}\"; known: full_attention, sliding_attention", i,
                                types[i]));
    if (!use || !given)
      config.reject(
          fmt::format("\"layer_types\"[{}] is \"sliding_attention\", but use_sliding_window is {} and "
                      "sliding_window {}; set both",
                      i, use, given ? "set" : "missing"));
    windows[i] = window;
  }
  return windows;
}

const std::vector<std::string>& common_harmless_keys() {
  static const std::vector<std::string> keys{
      // provenance and notes
      "transformers_version", "_name_or_path", "_from_model_config", "_commit_hash", "_attn_implementation",
      "_attn_implementation_autoset", "attn_implementation", "transformers.js_config", "is_llama_config",
      "unsloth_version", "unsloth_fixed",
      // token ids and generation defaults: the tokenizer and generation_config.json own them
      "bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id", "sep_token_id",
      "decoder_start_token_id", "max_length", "min_length", "do_sample", "early_stopping", "num_beams",
      "num_beam_groups", "diversity_penalty", "temperature", "top_k", "top_p", "typical_p",
      "repetition_penalty", "length_penalty", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size",
      "bad_words_ids", "num_return_sequences", "output_scores", "return_dict_in_generate",
      "forced_bos_token_id", "forced_eos_token_id", "remove_invalid_values",
      "exponential_decay_length_penalty", "suppress_tokens", "begin_suppress_tokens",
      // how transformers returns or cuts its results
      "use_cache", "return_dict", "output_hidden_states", "output_attentions", "torchscript", "use_bfloat16",
      "tf_legacy_loss", "chunk_size_feed_forward", "pretraining_tp", "id2label", "label2id", "problem_type",
      "finetuning_task", "task_specific_params", "tokenizer_class", "prefix", "is_encoder_decoder",
      "is_decoder", "cross_attention_hidden_size", "add_cross_attention", "tie_encoder_decoder"};
  return keys;
}

}  // namespace mindspeed::models
