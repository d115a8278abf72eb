// Spec trees of the golden config.json files, by hand; presets; name maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "front/models/common/decoder.h"
#include "front/models/registry.h"
#include "front/plan/parameter_spec.h"
#include "tests/support/proof.h"

namespace mindspeed::models {
namespace {

Json golden_config(const std::string& name) {
  return read_json(test::golden_dir() + "/hf/" + name + "/config.json");
}
ModelSpec golden(const std::string& name) { return model_from_config(golden_config(name), name); }

TEST(Llama, GroupedQueryHeadsAreRead) {
  const ModelSpec m = golden("llama_gqa");
  EXPECT_EQ(m.family, "llama");
  EXPECT_EQ(m.hidden, 64);
  EXPECT_EQ(m.vocab, 128);
  EXPECT_EQ(m.max_position, 128);
  EXPECT_EQ(m.layers.size(), 2u);
  EXPECT_DOUBLE_EQ(m.init_std, 0.08);
  EXPECT_FALSE(m.head.tied);
  ASSERT_TRUE(m.head.norm);
  EXPECT_EQ(m.head.norm->kind, NormKind::rms);
  EXPECT_DOUBLE_EQ(m.head.norm->eps, 1e-6);
  const AttentionSpec& a = attention(m.layers[1]);
  EXPECT_EQ(a.heads, 4);
  EXPECT_EQ(a.kv_heads, 2);
  EXPECT_EQ(a.head_dim, 16);
  EXPECT_DOUBLE_EQ(a.scale, 0.25);  // 16^-0.5
  EXPECT_EQ(a.window, 0);
  EXPECT_FALSE(a.qkv_bias || a.out_bias || a.qk_norm);
  ASSERT_TRUE(a.rope);
  EXPECT_EQ(a.rope->dim, 16);
  EXPECT_EQ(a.rope->scaling, RopeScaling::none);
  EXPECT_FALSE(a.rope->interleaved);
  EXPECT_EQ(dense(m.layers[0]).ffn, 64);
  EXPECT_TRUE(dense(m.layers[0]).gated);
  EXPECT_EQ(dense(m.layers[0]).activation, Activation::silu);
}

TEST(Llama, HeadDimStandsApartFromHiddenOverHeads) {
  const ModelSpec m = golden("llama_tied");
  EXPECT_EQ(m.hidden / attention(m.layers[0]).heads, 8);
  EXPECT_EQ(attention(m.layers[0]).head_dim, 16);
  EXPECT_TRUE(m.head.tied);
}

TEST(Llama, BiasFlagsReachAllFourProjectionsAndTheFeedForward) {
  const ModelSpec m = golden("llama_bias");
  for (const LayerSpec& layer : m.layers) {
    EXPECT_TRUE(attention(layer).qkv_bias);
    EXPECT_TRUE(attention(layer).out_bias);
    EXPECT_TRUE(dense(layer).bias);
  }
}

TEST(Llama, RopeBlocksAreReadInFull) {
  const RopeSpec three = *attention(golden("llama_rope_llama3").layers[0]).rope;
  EXPECT_EQ(three.scaling, RopeScaling::llama3);
  EXPECT_DOUBLE_EQ(three.theta, 500000);
  EXPECT_DOUBLE_EQ(three.factor, 8);
  EXPECT_DOUBLE_EQ(three.low_freq_factor, 1);
  EXPECT_DOUBLE_EQ(three.high_freq_factor, 4);
  EXPECT_EQ(three.original_max_position, 32);
  const RopeSpec linear = *attention(golden("llama_rope_linear").layers[0]).rope;
  EXPECT_EQ(linear.scaling, RopeScaling::linear);
  EXPECT_DOUBLE_EQ(linear.factor, 4);
  const RopeSpec dynamic = *attention(golden("llama_rope_dynamic").layers[0]).rope;
  EXPECT_EQ(dynamic.scaling, RopeScaling::dynamic);
  EXPECT_DOUBLE_EQ(dynamic.factor, 2);
  EXPECT_EQ(dynamic.original_max_position, 32);  // max_position_embeddings
}

TEST(Qwen2, BiasIsOnQkvOnly) {
  const ModelSpec m = golden("qwen2");
  EXPECT_EQ(m.family, "qwen2");
  EXPECT_TRUE(attention(m.layers[0]).qkv_bias);
  EXPECT_FALSE(attention(m.layers[0]).out_bias);
  EXPECT_FALSE(dense(m.layers[0]).bias);
  EXPECT_EQ(attention(m.layers[0]).head_dim, 16);  // 64 / 4, the key is absent
}

TEST(Qwen3, HeadsAreNormalised) {
  for (const char* name : {"qwen3_tied", "qwen3_untied"}) {
    const ModelSpec m = golden(name);
    const AttentionSpec& a = attention(m.layers[0]);
    ASSERT_TRUE(a.qk_norm);
    EXPECT_DOUBLE_EQ(a.qk_norm->eps, 1e-6);
    EXPECT_EQ(a.head_dim, 24);
    EXPECT_FALSE(a.qkv_bias);
    EXPECT_EQ(m.head.tied, std::string(name) == "qwen3_tied");
  }
}

TEST(Mistral, EveryLayerHasTheWindow) {
  const ModelSpec m = golden("mistral_window");
  for (const LayerSpec& layer : m.layers) EXPECT_EQ(attention(layer).window, 16);
  Json config = golden_config("mistral_window");
  config["sliding_window"] = nullptr;  // Mistral v0.2 and later
  EXPECT_EQ(attention(model_from_config(config, "x").layers[0]).window, 0);
  config.erase("sliding_window");  // the default of MistralConfig
  EXPECT_EQ(attention(model_from_config(config, "x").layers[0]).window, 4096);
}

TEST(Windows, OfQwenFollowMaxWindowLayersOrLayerTypes) {
  Json config = preset_config("qwen2:debug");  // window 16 from layer 2 on
  const auto windows = [&] {
    std::vector<int64_t> w;
    for (const LayerSpec& layer : model_from_config(config, "x").layers) w.push_back(attention(layer).window);
    return w;
  };
  EXPECT_EQ(windows(), (std::vector<int64_t>{0, 0, 16, 16}));
  config["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "sliding_attention"};
  EXPECT_EQ(windows(), (std::vector<int64_t>{16, 0, 0, 16}));
  config.erase("layer_types");
  config["use_sliding_window"] = false;
  EXPECT_EQ(windows(), (std::vector<int64_t>{0, 0, 0, 0}));
}

// Fault 8: both spellings give the same model, and the blended band has the published numbers.
TEST(Rope, OldAndNewSpellingMeanTheSame) {
  Json modern = golden_config("llama_rope_llama3");
  Json old = modern;
  old.erase("rope_parameters");
  old["rope_theta"] = 500000.0;
  old["rope_scaling"] = {{"type", "llama3"},
                         {"factor", 8.0},
                         {"low_freq_factor", 1.0},
                         {"high_freq_factor", 4.0},
                         {"original_max_position_embeddings", 32}};
  EXPECT_EQ(config_from_model(model_from_config(old, "old"), DType::f32),
            config_from_model(model_from_config(modern, "new"), DType::f32));
  old["rope_scaling"]["factor"] = 4.0;
  EXPECT_NE(config_from_model(model_from_config(old, "old"), DType::f32),
            config_from_model(model_from_config(modern, "new"), DType::f32));
}

TEST(Presets, EveryOneIsAValidModelThatItsOwnConfigRepeats) {
  const std::vector<std::string> names = preset_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) {
    const ModelSpec model = model_from_config(preset_config(name), name);
    const Json written = config_from_model(model, DType::bf16);
    const ModelSpec again = model_from_config(written, name + " written");
    EXPECT_EQ(config_from_model(again, DType::bf16), written) << name;
    EXPECT_EQ(total_elements(parameter_table(again)), total_elements(parameter_table(model))) << name;
  }
  EXPECT_EQ(preset_config("debug")["model_type"], "qwen3");
  EXPECT_EQ(preset_config("llama:debug")["model_type"], "llama");
}

TEST(Presets, EveryFamilyHasADebugOneWithSmallNumbers) {
  for (const Family& f : families()) {
    ASSERT_FALSE(f.presets.empty());
    EXPECT_EQ(f.presets.front().name, "debug");
    const ModelSpec m = model_from_config(preset_config(f.name + ":debug"), f.name);
    EXPECT_EQ(m.layers.size(), 4u);
    EXPECT_EQ(m.hidden, 64);
    EXPECT_EQ(m.vocab, 256);
    EXPECT_EQ(attention(m.layers[0]).kv_heads, 2);
  }
}

// The golden config.json is what transformers wrote: ours holds the same values under the same keys.
TEST(ConfigWriter, RepeatsTheKeysOfTransformers) {
  for (const char* name : {"llama_gqa", "llama_bias", "llama_rope_llama3", "llama_rope_linear",
                           "llama_rope_dynamic", "qwen2", "qwen3_tied", "mistral_window"}) {
    const Json peer = golden_config(name);
    const Json ours = config_from_model(golden(name), DType::f32);
    for (const auto& [key, value] : peer.items()) {
      if (key.ends_with("token_id") || key == "transformers_version" || key == "pretraining_tp") continue;
      if (key == "max_window_layers") continue;  // any number >= the layers means the same
      ASSERT_TRUE(ours.contains(key)) << name << " " << key;
      EXPECT_EQ(ours[key], value) << name << " " << key;
    }
  }
}

TEST(NameMaps, FillEveryParameterAndListEveryOutsideNameOnce) {
  for (const std::string& preset : preset_names()) {
    const ModelSpec model = model_from_config(preset_config(preset), preset);
    const Family& f = family(model.family);
    for (const NameMap& map : {f.hf_names(model), f.gguf_names(model)}) {
      std::set<std::string> ours, outside;
      for (const ParameterMap& p : map.parameters) {
        EXPECT_TRUE(ours.insert(p.name).second) << p.name;
        for (const Piece& piece : p.pieces)
          EXPECT_TRUE(outside.insert(piece.outside).second) << piece.outside;
      }
      for (const ParameterSpec& p : parameter_table(model))
        EXPECT_EQ(ours.erase(p.name), 1u) << preset << " " << p.name;
      EXPECT_TRUE(ours.empty());
      EXPECT_EQ(std::set<std::string>(map.order.begin(), map.order.end()), outside);
      EXPECT_EQ(map.order.size(), outside.size());
    }
  }
}

TEST(NameMaps, MindSpeedNamesFindTheirFamilies) {
  EXPECT_EQ(family_of_spec_module("mindspeed_llm.tasks.models.spec.qwen3_spec").name, "qwen3");
  EXPECT_EQ(family_of_mindspeed_type("qwen25").name, "qwen2");
  EXPECT_EQ(family_of_mindspeed_type("llama2").name, "llama");
}

}  // namespace
}  // namespace mindspeed::models
