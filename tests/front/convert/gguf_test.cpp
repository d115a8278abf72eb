// GGUF files: the real SmolLM2-135M-Instruct, and small files written here for what it does not hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/convert/convert.h"
#include "front/convert/gguf/gguf_config.h"
#include "front/convert/open.h"
#include "front/formats/safetensors_folder.h"
#include "front/models/registry.h"
#include "tests/front/convert/folders.h"
#include "tests/front/convert/gguf_writer.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

fs::path smollm2() {
  const fs::path folder = fs::path(test::source_dir()) / "build/fixtures/smollm2_gguf";
  if (fs::is_directory(folder))
    for (const auto& item : fs::directory_iterator(folder))
      if (item.path().extension() == ".gguf") return item.path();
  throw std::runtime_error(folder.string() + " is missing; run scripts/fetch_fixtures.sh");
}

// The config that transformers 5.24 derives from the same file.
TEST(SmolLm2, ConfigEqualsWhatTransformersReads) {
  const Json peer = read_json(test::golden_dir() + "/smollm2/model.json")["config"];
  const Json ours = load_model_config(smollm2());
  for (const char* key :
       {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
        "num_key_value_heads", "hidden_act", "max_position_embeddings", "initializer_range", "pad_token_id",
        "bos_token_id", "eos_token_id", "unk_token_id", "tie_word_embeddings", "rope_parameters",
        "attention_dropout", "head_dim", "model_type", "dtype"})
    EXPECT_EQ(ours[key], peer[key]) << key;
  EXPECT_EQ(ours["rms_norm_eps"].get<float>(), peer["rms_norm_eps"].get<float>());
}

struct Moments {
  const char* name;
  std::vector<int64_t> shape;
  double sum, ramp, absolute;  // of x, of x * (i % 97 - 48), of |x|
};

// Computed once with gguf-py 0.19.0 (dequantize) and numpy; q and k with transformers' reverse permutation
// (reshape [heads, d/2, 2], swap the last two). The ramp sees the order of the rows.
TEST(SmolLm2, TensorsEqualThePeersDequantisationInHuggingFaceOrder) {
  const std::vector<Moments> peer{
      {"model.embed_tokens.weight", {49152, 576}, -15353.0445, -3684.19863, 2802153.62},
      {"model.layers.0.self_attn.q_proj.weight", {576, 576}, 59.2232208, -6749.26376, 63395.3987},
      {"model.layers.7.self_attn.k_proj.weight", {192, 576}, -47.4967804, 1781.24921, 16738.01},
      {"model.layers.0.self_attn.v_proj.weight", {192, 576}, 4.79384613, -303.376278, 3828.75087},
      {"model.layers.29.mlp.down_proj.weight", {576, 1536}, 49.8357086, 1378.71027, 126250.914},
      {"model.layers.29.mlp.up_proj.weight", {1536, 576}, 305.732681, 4239.3289, 150058.308},
      {"model.norm.weight", {576}, 1038.33203, -388.40625, 1045.09766}};
  const fs::path to = test::temporary_dir("smollm2");
  ConvertOptions options;
  options.load_dir = smollm2();
  options.save_dir = to;
  const ConvertResult result = convert_model(options);
  EXPECT_EQ(result.parameters, 134515008);
  EXPECT_EQ(result.family, "llama");

  bool equal = true;
  const SafetensorsFile file(to / "model.safetensors");
  for (const Moments& m : peer) {
    const SafetensorsEntry* entry = file.find(m.name);
    ASSERT_NE(entry, nullptr) << m.name;
    EXPECT_EQ(entry->shape, m.shape);
    const std::span<const std::byte> bytes = file.bytes(*entry);
    double sum = 0, ramp = 0, absolute = 0;
    for (size_t i = 0; i < bytes.size() / 4; ++i) {
      float v = 0;
      std::memcpy(&v, &bytes[4 * i], 4);
      sum += v;
      ramp += v * (static_cast<double>(i % 97) - 48);
      absolute += std::abs(static_cast<double>(v));
    }
    // Nine digits were printed.
    const double tolerance = 1e-8 * m.absolute;
    EXPECT_NEAR(sum, m.sum, tolerance) << m.name;
    EXPECT_NEAR(ramp, m.ramp, 48 * tolerance) << m.name;
    EXPECT_NEAR(absolute, m.absolute, tolerance) << m.name;
    equal = equal && std::abs(ramp - m.ramp) <= 48 * tolerance;
  }
  EXPECT_TRUE(test::prove("smollm2", "convert.gguf", equal));
  for (const char* name : {"config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json",
                           "special_tokens_map.json", "chat_template.jinja"})
    EXPECT_TRUE(fs::exists(to / name)) << name;
  EXPECT_EQ(read_file(to / "chat_template.jinja"),
            read_json(test::golden_dir() + "/smollm2/model.json")["chat_template"].get<std::string>());
  EXPECT_FALSE(file.find("lm_head.weight"));  // tied
}

// A tiny llama with the metadata that llama.cpp writes.
test::GgufMetadata tiny_metadata() {
  return {{"general.architecture", std::string("llama")},
          {"llama.block_count", 1u},
          {"llama.context_length", 131072u},
          {"llama.embedding_length", 128u},
          {"llama.feed_forward_length", 8u},
          {"llama.attention.head_count", 2u},
          {"llama.attention.head_count_kv", 1u},
          {"llama.attention.layer_norm_rms_epsilon", 1e-5f},
          {"llama.rope.freq_base", 500000.0f},
          {"llama.rope.dimension_count", 64u},
          {"llama.vocab_size", 3u}};
}

std::vector<test::GgufTestTensor> tiny_tensors() {
  std::vector<test::GgufTestTensor> tensors{
      {"token_embd.weight", {3, 128}, {}},          {"output_norm.weight", {128}, {}},
      {"blk.0.attn_norm.weight", {128}, {}},        {"blk.0.attn_q.weight", {128, 128}, {}},
      {"blk.0.attn_k.weight", {64, 128}, {}},       {"blk.0.attn_v.weight", {64, 128}, {}},
      {"blk.0.attn_output.weight", {128, 128}, {}}, {"blk.0.ffn_norm.weight", {128}, {}},
      {"blk.0.ffn_gate.weight", {8, 128}, {}},      {"blk.0.ffn_up.weight", {8, 128}, {}},
      {"blk.0.ffn_down.weight", {128, 8}, {}}};
  for (auto& t : tensors) {
    t.values.resize(static_cast<size_t>(whole(t.shape).elements()));
    for (size_t i = 0; i < t.values.size(); ++i)
      t.values[i] = static_cast<float>(i / 128);  // row number of [.., 128]
  }
  return tensors;
}

fs::path tiny(const test::GgufMetadata& metadata, const std::vector<test::GgufTestTensor>& tensors) {
  const fs::path path = fs::path(test::temporary_dir("tiny")) / "tiny.gguf";
  test::write_gguf(path, metadata, tensors);
  return path;
}

// Faults 6 and 7: GGUF row 2i + j of a llama head is row i + 32 j of Hugging Face.
TEST(Gguf, QAndKRowsOfTheLlamaArchitectureAreUnpermutedAndVIsNot) {
  const auto source = test::weights_at(tiny(tiny_metadata(), tiny_tensors()));
  const std::vector<float> qkv =
      test::read_whole(*source, "layers.0.attn.qkv.weight");  // [128 + 64 + 64, 128]
  const auto row = [&](int r) { return qkv[static_cast<size_t>(r) * 128]; };
  EXPECT_EQ(row(0), 0);
  EXPECT_EQ(row(1), 2);
  EXPECT_EQ(row(31), 62);
  EXPECT_EQ(row(32), 1);
  EXPECT_EQ(row(63), 63);
  EXPECT_EQ(row(64 + 1), 64 + 2);   // second q head
  EXPECT_EQ(row(128 + 32), 1);      // k
  EXPECT_EQ(row(128 + 64 + 1), 1);  // v
}

// Fault 8: the published numbers of Llama 3.2 (head dim 64, theta 500000, factor 32): pairs 0-14 unchanged,
// 15-17 blended (15: 0.00213112 -> 0.00129055), 18-31 divided by 32.
TEST(Gguf, RopeFactorsBecomeTheLlama3Settings) {
  std::vector<float> factors(32, 1.0f);
  factors[15] = 0.00213112f / 0.00129055f;
  factors[16] = 3.29226f;
  factors[17] = 9.66673f;
  std::fill(factors.begin() + 18, factors.end(), 32.0f);
  auto tensors = tiny_tensors();
  tensors.push_back({"rope_freqs.weight", {32}, factors});
  const Json rope = load_model_config(tiny(tiny_metadata(), tensors))["rope_parameters"];
  EXPECT_EQ(rope["rope_type"], "llama3");
  EXPECT_EQ(rope["factor"], 32.0);
  EXPECT_EQ(rope["rope_theta"], 500000.0);
  EXPECT_EQ(rope["low_freq_factor"], 1.0);
  EXPECT_EQ(rope["high_freq_factor"], 4.0);
  EXPECT_EQ(rope["original_max_position_embeddings"], 8192);
  EXPECT_NO_THROW(test::weights_at(tiny(tiny_metadata(), tensors)));
  tensors.back().values[15] = 1.0f;
  EXPECT_HAS(test::error_of([&] { load_model_config(tiny(tiny_metadata(), tensors)); }),
             "does not hold Llama 3's rope factors");
}

TEST(Gguf, UnknownSettingsAreRefusedByName) {
  const auto error = [](const char* key, auto value) {
    auto metadata = tiny_metadata();
    metadata.emplace_back(key, value);
    return test::error_of([&] { load_model_config(tiny(metadata, tiny_tensors())); });
  };
  EXPECT_HAS(error("llama.logit_scale", 2.0f), "llama.logit_scale");
  EXPECT_HAS(error("llama.expert_count", 8u), "\"llama.expert_count\" is 8");
  EXPECT_HAS(error("llama.rope.scaling.type", std::string("yarn")), "rope scaling \"yarn\"");
  auto metadata = tiny_metadata();
  metadata[0].second = std::string("gemma2");
  EXPECT_HAS(test::error_of([&] { load_model_config(tiny(metadata, tiny_tensors())); }),
             "architecture \"gemma2\" is not available; known: llama, qwen2, qwen3");
}

TEST(Gguf, MissingAndExtraTensorsAreNamed) {
  auto tensors = tiny_tensors();
  tensors[5].name = "blk.0.attn_w.weight";
  const std::string e = test::error_of([&] { test::weights_at(tiny(tiny_metadata(), tensors)); });
  EXPECT_HAS(e, "1 missing: blk.0.attn_v.weight");
  EXPECT_HAS(e, "1 unexpected: blk.0.attn_w.weight");
}

}  // namespace
}  // namespace mindspeed
