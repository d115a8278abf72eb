#include "front/tokenizer/gguf_vocabulary.h"

#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed {
namespace {

enum TokenType { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

// What a name in tokenizer.ggml.pre stands for. `patterns`: splits in this order, before the byte level.
struct PreTokenizer {
  std::set<std::string_view> names;
  std::vector<std::string> patterns;
  bool gpt2_split = false;  // the byte level splits by GPT-2's own expression
  bool nfc = false;
  bool ignore_merges = false;
  bool add_bos = false;  // when the file does not say
};

const std::vector<PreTokenizer>& pre_tokenizers() {
  // One expression of Qwen2 and Llama 3 with another count of digits.
  static const auto words = [](const char* digits) {
    return std::string(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)") + digits +
           R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  };
  static const std::vector<PreTokenizer> all{
      {.names = {"gpt-2", "gpt2"}, .patterns = {}, .gpt2_split = true},
      {.names = {"smollm", "starcoder", "refact"}, .patterns = {R"(\p{N})"}, .gpt2_split = true},
      {.names = {"qwen2", "deepseek-r1-qwen"}, .patterns = {words(R"(\p{N})")}, .nfc = true},
      {.names = {"llama-bpe", "llama3", "llama-v3"},
       .patterns = {words(R"(\p{N}{1,3})")},
       .ignore_merges = true,
       .add_bos = true},
      {.names = {"deepseek-v3"},
       .patterns = {R"(\p{N}{1,3})", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
                    R"(| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
      {.names = {"deepseek-coder"},
       .patterns = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
                    R"(\p{N})"}},
  };
  return all;
}

const PreTokenizer& find_pre(const std::string& name) {
  std::string known;
  for (const PreTokenizer& pre : pre_tokenizers()) {
    if (pre.names.contains(name)) return pre;
    for (const std::string_view one : pre.names) known += (known.empty() ? "" : ", ") + std::string(one);
  }
  refuse("tokenizer",
         "the GGUF file's pre-tokenizer is \"{}\"; known are {}; use the model's Hugging Face folder instead",
         name, known);
}

void check(const GgufVocabulary& v) {
  if (v.model != "gpt2")
    refuse("tokenizer",
           "the GGUF file's vocabulary is of kind \"{}\"; only \"gpt2\" (byte-level BPE) is supported",
           v.model);
  if (v.tokens.empty()) fail("tokenizer", "the GGUF file has no tokens");
  if (v.token_types.size() != v.tokens.size())
    fail("tokenizer", "the GGUF file has {} tokens, but {} token types", v.tokens.size(),
         v.token_types.size());
  for (size_t i = 0; i < v.tokens.size(); ++i)
    if (v.token_types[i] < kNormal || v.token_types[i] > kUnused)
      refuse("tokenizer",
             "token {} (\"{}\") of the GGUF file has the type {}; a byte-level vocabulary has types 1 to 5",
             i, v.tokens[i], v.token_types[i]);
}

const std::string& token_at(const GgufVocabulary& v, int32_t id, std::string_view role) {
  if (id < 0 || static_cast<size_t>(id) >= v.tokens.size())
    fail("tokenizer", "the GGUF file's {} token is id {}, but it has {} tokens", role, id, v.tokens.size());
  return v.tokens[static_cast<size_t>(id)];
}

OrderedJson pre_tokenizer_json(const PreTokenizer& pre) {
  OrderedJson steps = OrderedJson::array();
  for (const std::string& pattern : pre.patterns) {
    if (pattern == R"(\p{N})")
      steps.push_back({{"type", "Digits"}, {"individual_digits", true}});
    else
      steps.push_back({{"type", "Split"},
                       {"pattern", {{"Regex", pattern}}},
                       {"behavior", "Isolated"},
                       {"invert", false}});
  }
  steps.push_back({{"type", "ByteLevel"},
                   {"add_prefix_space", false},
                   {"trim_offsets", true},
                   {"use_regex", pre.gpt2_split}});
  if (steps.size() == 1) return steps[0];
  return {{"type", "Sequence"}, {"pretokenizers", steps}};
}

// [bos] text [eos], as far as wanted.
OrderedJson post_processor_json(const GgufVocabulary& v, bool add_bos, bool add_eos) {
  OrderedJson single = OrderedJson::array();
  OrderedJson pair = OrderedJson::array();
  OrderedJson tokens = OrderedJson::object();
  const auto special = [&](std::optional<int32_t> id, std::string_view role) {
    if (!id)
      fail("tokenizer", "the GGUF file wants a {} token before or after each text, but names none", role);
    const std::string& text = token_at(v, *id, role);
    tokens[text] = {{"id", text}, {"ids", OrderedJson::array({*id})}, {"tokens", OrderedJson::array({text})}};
    return text;
  };
  const auto add = [&](const char* text, int type) {
    if (add_bos) pair.push_back({{"SpecialToken", {{"id", special(v.bos, "bos")}, {"type_id", type}}}});
    pair.push_back({{"Sequence", {{"id", text}, {"type_id", type}}}});
    if (add_eos) pair.push_back({{"SpecialToken", {{"id", special(v.eos, "eos")}, {"type_id", type}}}});
  };
  add("A", 0);
  single = pair;
  add("B", 1);
  return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", tokens}};
}

OrderedJson model_json(const GgufVocabulary& v, const PreTokenizer& pre) {
  OrderedJson vocabulary = OrderedJson::object();
  // ordered_json searches linearly for a key; going through its list of pairs keeps 150,000 tokens fast.
  auto& pairs = vocabulary.get_ref<OrderedJson::object_t&>();
  pairs.reserve(v.tokens.size());
  for (size_t i = 0; i < v.tokens.size(); ++i) pairs.emplace_back(v.tokens[i], i);
  OrderedJson merges = OrderedJson::array();
  for (const std::string& merge : v.merges) {
    const size_t space = merge.find(' ', 1);
    if (space == std::string::npos)
      fail("tokenizer", "merge {} of the GGUF file is \"{}\"; needed two tokens", merges.size(), merge);
    merges.push_back(OrderedJson::array({merge.substr(0, space), merge.substr(space + 1)}));
  }
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"continuing_subword_prefix", ""},
          {"end_of_word_suffix", ""},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"ignore_merges", pre.ignore_merges},
          {"vocab", std::move(vocabulary)},
          {"merges", std::move(merges)}};
}

OrderedJson added_json(const GgufVocabulary& v) {
  OrderedJson added = OrderedJson::array();
  for (size_t i = 0; i < v.tokens.size(); ++i)
    if (v.token_types[i] == kControl || v.token_types[i] == kUserDefined)
      added.push_back({{"id", i},
                       {"content", v.tokens[i]},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", v.token_types[i] == kControl}});
  return added;
}

}  // namespace

TokenizerConfig config_of(const GgufVocabulary& v) {
  TokenizerConfig config;
  const auto text = [&](std::optional<int32_t> id, std::string_view role) -> std::optional<std::string> {
    if (!id) return std::nullopt;
    return token_at(v, *id, role);
  };
  config.bos = text(v.bos, "bos");
  config.eos = text(v.eos, "eos");
  config.pad = text(v.pad, "pad");
  config.unk = text(v.unk, "unknown");
  config.tokenizer_class = "PreTrainedTokenizerFast";
  if (v.chat_template) config.chat_templates["default"] = *v.chat_template;
  return config;
}

TokenizerFiles to_tokenizer_json(const GgufVocabulary& v) {
  check(v);
  const PreTokenizer& pre = find_pre(v.pre);
  const OrderedJson byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", true}, {"use_regex", true}};
  const OrderedJson normalizer = pre.nfc ? OrderedJson{{"type", "NFC"}} : OrderedJson();
  OrderedJson file = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", added_json(v)},
      {"normalizer", normalizer},
      {"pre_tokenizer", pre_tokenizer_json(pre)},
      {"post_processor", post_processor_json(v, v.add_bos.value_or(pre.add_bos), v.add_eos.value_or(false))},
      {"decoder", byte_level}};
  file["model"] = model_json(v, pre);
  const TokenizerConfig config = config_of(v);
  OrderedJson map = OrderedJson::object();
  if (config.bos) map["bos_token"] = *config.bos;
  if (config.eos) map["eos_token"] = *config.eos;
  if (config.pad) map["pad_token"] = *config.pad;
  if (config.unk) map["unk_token"] = *config.unk;
  OrderedJson settings = map;
  settings["clean_up_tokenization_spaces"] = false;
  settings["tokenizer_class"] = config.tokenizer_class;
  return {file.dump(2) + "\n", settings.dump(2) + "\n", map.dump(2) + "\n", v.chat_template};
}

}  // namespace mindspeed
