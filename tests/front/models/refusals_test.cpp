// What a config.json must not slip past us: every refusal names the key, the value and what is accepted.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/models/registry.h"
#include "tests/support/proof.h"

namespace mindspeed::models {
namespace {

std::string refusal(const Json& config) {
  try {
    model_from_config(config, "DIR/config.json");
    return "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    return e.what();
  }
}

std::string with(const std::string& preset, const char* key, const Json& value) {
  Json config = preset_config(preset);
  config[key] = value;
  return refusal(config);
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Refusals, UnknownKeysAreAllNamedWithTheNearest) {
  Json config = preset_config("llama:debug");
  config["rms_norm_epsilon"] = 1e-5;
  config["logit_scale"] = 2.0;
  const std::string message = refusal(config);
  EXPECT_HAS(message, "[config] DIR/config.json");
  EXPECT_HAS(message, "\"rms_norm_epsilon\" (1e-05; did you mean \"rms_norm_eps\"?)");
  EXPECT_HAS(message, "\"logit_scale\" (2.0");
}

TEST(Refusals, UnknownModelTypesGetTheNearestAndTheList) {
  const std::string message = with("llama:debug", "model_type", "qwen");
  EXPECT_HAS(message, "model type \"qwen\"");
  EXPECT_HAS(message, "did you mean \"qwen");
  EXPECT_HAS(message, "llama, qwen2, qwen3, mistral");
  EXPECT_THROW(preset_config("qwen3-0.7b"), Error);
  EXPECT_THROW(family_of_spec_module("mindspeed_llm.tasks.models.spec.qwen4_spec"), Error);
  EXPECT_THROW(family_of_mindspeed_type("qwen26"), Error);
}

TEST(Refusals, RopeTypesThatAreNotDoneNeverFallBackToPlain) {
  for (const char* type : {"yarn", "longrope", "su", "ntk", ""}) {
    const std::string message =
        with("qwen3:debug", "rope_parameters", {{"rope_type", type}, {"factor", 4.0}, {"rope_theta", 1e6}});
    EXPECT_HAS(message, "known: default, linear, dynamic, llama3");
  }
  EXPECT_HAS(with("llama:debug", "rope_parameters", {{"rope_type", "linear"}}), "\"factor\" is missing");
  EXPECT_HAS(
      with("llama:debug", "rope_parameters", {{"rope_type", "linear"}, {"factor", 2.0}, {"beta_fast", 32}}),
      "\"beta_fast\"");
  EXPECT_HAS(
      with("llama:debug", "rope_parameters", {{"rope_type", "linear"}, {"type", "dynamic"}, {"factor", 2.0}}),
      "keep one");
}

TEST(Refusals, RopeSpelledTwiceMustAgree) {
  EXPECT_HAS(with("qwen3:debug", "rope_theta", 10000.0), "10000 at the top and 1000000 in rope_parameters");
  EXPECT_EQ(with("qwen3:debug", "rope_theta", 1000000.0), "accepted");
  EXPECT_HAS(with("qwen3:debug", "rope_scaling", {{"rope_type", "linear"}, {"factor", 2.0}}),
             "are both set and differ");
}

TEST(Refusals, ValuesOfTheWrongKindAreNamed) {
  EXPECT_HAS(with("llama:debug", "hidden_act", "quick_gelu"), "\"quick_gelu\"");
  EXPECT_HAS(with("llama:debug", "hidden_size", "64"), "\"hidden_size\" is \"64\"");
  EXPECT_HAS(with("llama:debug", "num_hidden_layers", 0), "needed: a whole number from 1 to 2147483647");
  EXPECT_HAS(with("llama:debug", "num_hidden_layers", 2.5), "needed: a whole number from 1");
  EXPECT_HAS(with("llama:debug", "hidden_size", 1e300), "needed: a whole number from 1");
  EXPECT_HAS(with("llama:debug", "tie_word_embeddings", 1), "needed: true or false");
  EXPECT_HAS(with("llama:debug", "rms_norm_eps", 0.0), "needed: > 0");
  EXPECT_HAS(with("llama:debug", "attention_dropout", 1.0), "attention_dropout");
  EXPECT_HAS(with("llama:debug", "dtype", "int7"), "int7");
}

TEST(Refusals, SizesBeyondAnyModelAreNamedBeforeMemoryIsAskedFor) {
  EXPECT_HAS(with("llama:debug", "num_hidden_layers", 1'000'000'000'000),
             "\"num_hidden_layers\" is 1000000000000");
  EXPECT_HAS(with("llama:debug", "num_hidden_layers", 10'001), "needed: at most 10000");
  EXPECT_HAS(with("llama:debug", "vocab_size", INT64_MAX), "needed: a whole number from 1 to 2147483647");
  EXPECT_HAS(with("llama:debug", "vocab_size", UINT64_MAX), "needed: a whole number from 1 to 2147483647");
  EXPECT_HAS(with("llama:debug", "max_position_embeddings", 1'000'000'000'000'000'000),
             "max_position_embeddings");
  Json config = preset_config("llama:debug");
  config["vocab_size"] = config["hidden_size"] = 2'000'000'000;  // twice 4e18 weights
  EXPECT_HAS(refusal(config), "parameters; needed: at most");
}

TEST(Refusals, ShapesThatCannotWorkShowTheNumbers) {
  EXPECT_HAS(with("llama:debug", "num_key_value_heads", 3),
             "num_attention_heads 4 does not divide by num_key_value_heads 3");
  EXPECT_HAS(with("llama:debug", "head_dim", 15), "head_dim 15 is odd");
  EXPECT_HAS(with("qwen2:debug", "hidden_size", 66),
             "hidden_size 66 does not divide by num_attention_heads 4");
  Json config = preset_config("llama:debug");
  config.erase("vocab_size");
  EXPECT_HAS(refusal(config), "\"vocab_size\" is missing");
}

TEST(Refusals, QuantisedCustomAndOtherHeadsAreNotOpened) {
  EXPECT_HAS(with("llama:debug", "quantization_config", {{"quant_method", "gptq"}}), "quantised");
  EXPECT_HAS(with("llama:debug", "auto_map", {{"AutoModel", "x.Y"}}), "code of its own");
  EXPECT_HAS(with("llama:debug", "architectures", {"LlamaForSequenceClassification"}),
             "LlamaForSequenceClassification");
  EXPECT_HAS(with("mistral:debug", "attention_bias", true), "no biases");
  EXPECT_HAS(with("llama:debug", "sliding_window", 128), "mistral has a window");
}

TEST(Refusals, WindowKeysThatContradictEachOtherAreNamed) {
  const Json types = {"full_attention", "full_attention", "full_attention", "sliding_attention"};
  EXPECT_HAS(with("qwen3:debug", "layer_types", types), "use_sliding_window is false");
  EXPECT_HAS(with("qwen2:debug", "layer_types", {"full_attention"}),
             "has 1 entries; needed: one per layer, 4");
  EXPECT_HAS(
      with("qwen2:debug", "layer_types", {"full_attention", "full_attention", "full_attention", "chunked"}),
      "chunked");
}

TEST(Dtype, IsReadUnderBothKeys) {
  EXPECT_EQ(config_dtype({{"torch_dtype", "bfloat16"}}, "x"), DType::bf16);
  EXPECT_EQ(config_dtype({{"dtype", "float32"}}, "x"), DType::f32);
  EXPECT_EQ(config_dtype(Json::object(), "x"), std::nullopt);
  EXPECT_THROW(config_dtype({{"dtype", "float32"}, {"torch_dtype", "bfloat16"}}, "x"), Error);
}

}  // namespace
}  // namespace mindspeed::models
