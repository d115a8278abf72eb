#include "front/tokenizer/gguf_vocabulary.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/load/gguf_kinds.h"
#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed {

using tokenization::gguf_token;
using tokenization::GgufKind;

namespace {

// [bos] text [eos], as far as wanted.
OrderedJson post_processor_json(const GgufVocabulary& v, bool add_bos, bool add_eos) {
  OrderedJson single = OrderedJson::array();
  OrderedJson pair = OrderedJson::array();
  OrderedJson tokens = OrderedJson::object();
  const auto special = [&](std::optional<int32_t> id, std::string_view role) {
    if (!id)
      fail("tokenizer", "the GGUF file wants a {} token before or after each text, but names none", role);
    const std::string& text = gguf_token(v, *id, role);
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

OrderedJson added_json(const GgufVocabulary& v) {
  OrderedJson added = OrderedJson::array();
  for (size_t i = 0; i < v.tokens.size(); ++i)
    if (const int32_t type = v.token_types[i]; type == tokenization::kControl ||
                                               type == tokenization::kUserDefined ||
                                               (type == tokenization::kUnknown && v.model != "gpt2"))
      added.push_back({{"id", i},
                       {"content", v.tokens[i]},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", type != tokenization::kUserDefined}});
  return added;
}

}  // namespace

TokenizerConfig config_of(const GgufVocabulary& v) {
  TokenizerConfig config;
  const auto text = [&](std::optional<int32_t> id, std::string_view role) -> std::optional<std::string> {
    if (!id) return std::nullopt;
    return gguf_token(v, *id, role);
  };
  config.bos = text(v.bos, "bos");
  config.eos = text(v.eos, "eos");
  config.pad = text(v.pad, "pad");
  config.unk = text(v.unk, "unknown");
  config.tokenizer_class = "PreTrainedTokenizerFast";
  if (v.chat_template) config.chat_templates["default"] = *v.chat_template;
  return config;
}

TokenizerFiles to_tokenizer_json(const GgufVocabulary& given) {
  GgufVocabulary v = given;
  if (v.model == "bert") {
    v.tokens = tokenization::word_piece_tokens(v);
    v.bos = v.cls ? v.cls : v.bos;
    v.eos = v.sep ? v.sep : v.eos;
    v.add_eos = v.add_eos.value_or(true);
  }
  const GgufKind kind = tokenization::gguf_kind(v);
  OrderedJson file = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", added_json(v)},
      {"normalizer", kind.normalizer},
      {"pre_tokenizer", kind.pre_tokenizer},
      {"post_processor", post_processor_json(v, v.add_bos.value_or(kind.add_bos), v.add_eos.value_or(false))},
      {"decoder", kind.decoder}};
  file["model"] = kind.model;
  const TokenizerConfig config = config_of(v);
  OrderedJson map = OrderedJson::object();
  if (config.bos) map["bos_token"] = *config.bos;
  if (config.eos) map["eos_token"] = *config.eos;
  if (config.pad) map["pad_token"] = *config.pad;
  if (config.unk) map["unk_token"] = *config.unk;
  if (v.cls) map["cls_token"] = gguf_token(v, *v.cls, "cls");
  if (v.sep) map["sep_token"] = gguf_token(v, *v.sep, "sep");
  if (v.mask) map["mask_token"] = gguf_token(v, *v.mask, "mask");
  OrderedJson settings = map;
  settings["clean_up_tokenization_spaces"] = false;
  settings["tokenizer_class"] = config.tokenizer_class;
  return {file.dump(2) + "\n", settings.dump(2) + "\n", map.dump(2) + "\n", v.chat_template};
}

}  // namespace mindspeed
