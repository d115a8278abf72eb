#include "front/convert/gguf/gguf_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <set>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

// Keys under "<architecture>." with a note of which were asked for.
class ArchitectureKeys {
 public:
  ArchitectureKeys(const GgufFile& file, std::string architecture)
      : file_(file), prefix_(std::move(architecture) + ".") {}

  int64_t count(const std::string& key) {
    read_.insert(prefix_ + key);
    return file_.at(prefix_ + key).as_int(prefix_ + key);
  }
  std::optional<int64_t> find_count(const std::string& key) {
    const GgufValue* value = find(key);
    return value == nullptr ? std::nullopt : std::optional(value->as_int(prefix_ + key));
  }
  std::optional<double> find_number(const std::string& key) {
    const GgufValue* value = find(key);
    return value == nullptr ? std::nullopt : std::optional(value->as_double(prefix_ + key));
  }
  std::string text(const std::string& key, const std::string& fallback) {
    const GgufValue* value = find(key);
    return value == nullptr ? fallback : value->as_string(prefix_ + key);
  }
  void skip(const std::string& key) { read_.insert(prefix_ + key); }
  // A key whose value must be the one that the model has anyway.
  void must_equal(const std::string& key, int64_t needed) {
    if (const auto value = find_count(key); value && *value != needed)
      refuse("gguf", "{}: \"{}{}\" is {}; only {} is available here", file_.path().string(), prefix_, key,
             *value, needed);
  }
  void finish() const {
    std::vector<std::string> unknown;
    for (const std::string& key : file_.keys())
      if (key.starts_with(prefix_) && !read_.contains(key)) unknown.push_back(key);
    if (!unknown.empty())
      refuse("gguf", "{}: unknown keys {}; each could change what the model computes", file_.path().string(),
             join(unknown, ", "));
  }

 private:
  const GgufValue* find(const std::string& key) {
    read_.insert(prefix_ + key);
    return file_.find(prefix_ + key);
  }
  const GgufFile& file_;
  std::string prefix_;
  std::set<std::string> read_;
};

// GGUF stores fp32; the shortest decimal that gives the same fp32 is what the model's author wrote (1e-05).
double shortest(double value) { return std::stod(fmt::format("{}", static_cast<float>(value))); }

// The divisor of inverse frequency i under llama3 scaling (Llama 3.1's rule).
double llama3_factor(double theta, int64_t dim, int64_t i, double factor, double low, double high,
                     double original) {
  const double wavelength =
      2 * std::numbers::pi * std::pow(theta, 2.0 * static_cast<double>(i) / static_cast<double>(dim));
  if (wavelength < original / high) return 1;
  if (wavelength > original / low) return factor;
  const double smooth = (original / wavelength - low) / (high - low);
  return 1 / ((1 - smooth) / factor + smooth);
}

// rope_freqs.weight holds the divisors only. The settings behind them are those of every Llama 3 release;
// they are used if they give the same divisors, else the file is refused.
Json llama3_block(const GgufFile& file, double theta, int64_t dim) {
  constexpr double kLow = 1, kHigh = 4, kOriginal = 8192, kTolerance = 1e-4;
  const std::vector<float> stored = file.read(*file.find_tensor(kGgufRopeFactors));
  const double factor = stored.empty() ? 0 : *std::max_element(stored.begin(), stored.end());
  bool same = static_cast<int64_t>(stored.size()) == dim / 2;
  for (size_t i = 0; same && i < stored.size(); ++i) {
    const double expected =
        llama3_factor(theta, dim, static_cast<int64_t>(i), factor, kLow, kHigh, kOriginal);
    same = std::abs(stored[i] - expected) <= kTolerance * expected;
  }
  if (!same)
    refuse(
        "gguf",
        "{}: {} does not hold Llama 3's rope factors (low 1, high 4, original length 8192); give the Hugging "
        "Face folder, whose config.json has the settings",
        file.path().string(), kGgufRopeFactors);
  return {{"rope_type", "llama3"},     {"rope_theta", theta},
          {"factor", factor},          {"low_freq_factor", kLow},
          {"high_freq_factor", kHigh}, {"original_max_position_embeddings", static_cast<int64_t>(kOriginal)}};
}

Json rope_block(const GgufFile& file, ArchitectureKeys& keys, int64_t head_dim) {
  const double theta = shortest(keys.find_number("rope.freq_base").value_or(10000.0));
  const std::string type = keys.text("rope.scaling.type", "none");
  const std::optional<double> factor = keys.find_number("rope.scaling.factor");
  keys.skip("rope.scaling.finetuned");
  if (file.find_tensor(kGgufRopeFactors) != nullptr) return llama3_block(file, theta, head_dim);
  if (type == "none") return {{"rope_theta", theta}, {"rope_type", "default"}};
  if (type == "linear" && factor)
    return {{"rope_theta", theta}, {"rope_type", "linear"}, {"factor", shortest(*factor)}};
  refuse("gguf", "{}: rope scaling \"{}\" is not available; known: none, linear, llama3",
         file.path().string(), type);
}

const models::Family& family_of(const GgufFile& file, const std::string& architecture) {
  std::vector<std::string> known;
  for (const models::Family& f : models::families()) {
    if (f.gguf_arch == architecture) return f;
    if (!f.gguf_arch.empty()) known.push_back(f.gguf_arch);
  }
  refuse("gguf", "{}: architecture \"{}\" is not available; known: {}", file.path().string(), architecture,
         join(known, ", "));
}

int64_t vocabulary_size(const GgufFile& file, ArchitectureKeys& keys) {
  const std::optional<int64_t> declared = keys.find_count("vocab_size");
  const GgufTensor* embedding = file.find_tensor("token_embd.weight");
  if (embedding == nullptr || embedding->shape.size() != 2)
    fail("gguf", "{}: there is no matrix token_embd.weight", file.path().string());
  if (declared && *declared != embedding->shape[0])
    fail("gguf", "{}: vocab_size is {}, but token_embd.weight has {} rows", file.path().string(), *declared,
         embedding->shape[0]);
  return embedding->shape[0];
}

void add_token_ids(const GgufFile& file, Json& config) {
  constexpr std::array<std::pair<const char*, const char*>, 4> ids{
      {{"bos_token_id", "tokenizer.ggml.bos_token_id"},
       {"eos_token_id", "tokenizer.ggml.eos_token_id"},
       {"pad_token_id", "tokenizer.ggml.padding_token_id"},
       {"unk_token_id", "tokenizer.ggml.unknown_token_id"}}};
  for (const auto& [ours, theirs] : ids)
    if (const GgufValue* id = file.find(theirs)) config[ours] = id->as_int(theirs);
}

}  // namespace

Json gguf_config(const GgufFile& file) {
  const std::string architecture = file.at("general.architecture").as_string("general.architecture");
  const models::Family& family = family_of(file, architecture);
  ArchitectureKeys keys(file, architecture);
  const int64_t hidden = keys.count("embedding_length");
  const int64_t heads = keys.count("attention.head_count");
  if (heads < 1) fail("gguf", "{}: attention.head_count is {}", file.path().string(), heads);
  const int64_t head_dim = keys.find_count("attention.key_length").value_or(hidden / heads);
  keys.must_equal("attention.value_length", head_dim);
  keys.must_equal("rope.dimension_count", head_dim);
  keys.must_equal("expert_count", 0);
  keys.must_equal("expert_used_count", 0);

  Json config{{"model_type", family.name},
              {"architectures", {family.architecture}},
              {"vocab_size", vocabulary_size(file, keys)},
              {"hidden_size", hidden},
              {"intermediate_size", keys.count("feed_forward_length")},
              {"num_hidden_layers", keys.count("block_count")},
              {"num_attention_heads", heads},
              {"num_key_value_heads", keys.find_count("attention.head_count_kv").value_or(heads)},
              {"head_dim", head_dim},
              {"hidden_act", "silu"},
              {"max_position_embeddings", keys.count("context_length")},
              {"initializer_range", 0.02},
              {"rms_norm_eps", shortest(keys.find_number("attention.layer_norm_rms_epsilon").value_or(1e-6))},
              {"tie_word_embeddings", file.find_tensor("output.weight") == nullptr},
              {"attention_dropout", 0.0},
              {"rope_parameters", rope_block(file, keys, head_dim)},
              {"use_cache", true},
              {"dtype", "float32"}};
  if (file.find_tensor("blk.0.attn_output.bias") != nullptr) config["attention_bias"] = true;
  if (file.find_tensor("blk.0.ffn_down.bias") != nullptr) config["mlp_bias"] = true;
  add_token_ids(file, config);
  keys.finish();
  return config;
}

GgufVocabulary gguf_vocabulary(const GgufFile& file) {
  const auto text = [&](const char* key) { return file.at(key).as_string(key); };
  const auto id = [&](const char* key) -> std::optional<int32_t> {
    const GgufValue* value = file.find(key);
    return value == nullptr ? std::nullopt : std::optional(static_cast<int32_t>(value->as_int(key)));
  };
  const auto flag = [&](const char* key) -> std::optional<bool> {
    const GgufValue* value = file.find(key);
    return value == nullptr ? std::nullopt : std::optional(value->as_bool(key));
  };
  GgufVocabulary v;
  v.model = text("tokenizer.ggml.model");
  v.pre = file.find("tokenizer.ggml.pre") == nullptr ? "" : text("tokenizer.ggml.pre");
  v.tokens = file.at("tokenizer.ggml.tokens").as_strings("tokenizer.ggml.tokens");
  if (file.find("tokenizer.ggml.merges") != nullptr)
    v.merges = file.at("tokenizer.ggml.merges").as_strings("tokenizer.ggml.merges");
  for (const int64_t type : file.at("tokenizer.ggml.token_type").as_ints("tokenizer.ggml.token_type"))
    v.token_types.push_back(static_cast<int32_t>(type));
  v.bos = id("tokenizer.ggml.bos_token_id");
  v.eos = id("tokenizer.ggml.eos_token_id");
  v.pad = id("tokenizer.ggml.padding_token_id");
  v.unk = id("tokenizer.ggml.unknown_token_id");
  v.cls = id("tokenizer.ggml.cls_token_id");
  v.sep = id("tokenizer.ggml.seperator_token_id");  // spelled so in the format
  v.mask = id("tokenizer.ggml.mask_token_id");
  v.add_bos = flag("tokenizer.ggml.add_bos_token");
  v.add_eos = flag("tokenizer.ggml.add_eos_token");
  v.add_space_prefix = flag("tokenizer.ggml.add_space_prefix");
  v.remove_extra_whitespaces = flag("tokenizer.ggml.remove_extra_whitespaces");
  v.has_charsmap = file.find("tokenizer.ggml.precompiled_charsmap") != nullptr;
  if (file.find("tokenizer.ggml.scores") != nullptr)
    for (const double score : file.at("tokenizer.ggml.scores").as_doubles("tokenizer.ggml.scores"))
      v.scores.push_back(static_cast<float>(score));
  if (file.find("tokenizer.chat_template") != nullptr) v.chat_template = text("tokenizer.chat_template");
  return v;
}

}  // namespace mindspeed
