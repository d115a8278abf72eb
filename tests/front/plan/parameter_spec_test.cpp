// The parameter table and its shards: names, shapes and counts by hand, or from published model sizes.
#include "front/plan/parameter_spec.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

ModelSpec preset(const std::string& name) {
  return models::model_from_config(models::preset_config(name), name);
}

int64_t count(const std::string& name) { return total_elements(parameter_table(preset(name))); }

const ParameterSpec& row(const std::vector<ParameterSpec>& table, const std::string& name) {
  for (const ParameterSpec& p : table)
    if (p.name == name) return p;
  throw std::runtime_error("no row " + name);
}

TEST(ParameterTable, CountsEqualThePublishedSizes) {
  EXPECT_EQ(count("qwen3-0.6b"), 596049920);
  EXPECT_EQ(count("qwen3-8b"), 8190735360);
  EXPECT_EQ(count("smollm2-135m"), 134515008);
  EXPECT_EQ(count("qwen2.5-0.5b"), 494032768);
  EXPECT_EQ(count("llama3.2-1b"), 1235814400);
  EXPECT_EQ(count("llama3.1-8b"), 8030261248);
  EXPECT_EQ(count("mistral-7b"), 7241732096);
}

TEST(ParameterTable, OfQwen3IsInForwardOrderWithTheseShapes) {
  const std::vector<ParameterSpec> table = parameter_table(preset("qwen3:debug"));
  std::vector<std::string> names;
  for (const ParameterSpec& p : table)
    if (p.layer < 0 || p.layer == 1) names.push_back(p.name);
  EXPECT_EQ(names, (std::vector<std::string>{"embedding.weight", "layers.1.attn.norm.weight",
                                             "layers.1.attn.qkv.weight", "layers.1.attn.q_norm.weight",
                                             "layers.1.attn.k_norm.weight", "layers.1.attn.out.weight",
                                             "layers.1.mlp.norm.weight", "layers.1.mlp.gate_up.weight",
                                             "layers.1.mlp.down.weight", "head.norm.weight", "head.weight"}));
  EXPECT_EQ(table.size(), 3u + 4u * 8u);
  // hidden 64, 4 heads and 2 kv heads of 32 channels, ffn 96, vocabulary 256
  EXPECT_EQ(row(table, "layers.3.attn.qkv.weight").shape, (std::vector<int64_t>{(4 + 2 * 2) * 32, 64}));
  EXPECT_EQ(row(table, "layers.3.attn.out.weight").shape, (std::vector<int64_t>{64, 128}));
  EXPECT_EQ(row(table, "layers.3.attn.q_norm.weight").shape, (std::vector<int64_t>{32}));
  EXPECT_EQ(row(table, "layers.3.mlp.gate_up.weight").shape, (std::vector<int64_t>{192, 64}));
  EXPECT_EQ(row(table, "layers.3.mlp.down.weight").shape, (std::vector<int64_t>{64, 96}));
  EXPECT_EQ(row(table, "head.weight").shape, (std::vector<int64_t>{256, 64}));
}

TEST(ParameterTable, TiedHeadIsCountedOnceAndNamesItsOriginal) {
  const std::vector<ParameterSpec> untied = parameter_table(preset("qwen3:debug"));
  const std::vector<ParameterSpec> tied = parameter_table(preset("qwen3:debug-tied"));
  EXPECT_EQ(row(tied, "head.weight").tied_to, "embedding.weight");
  EXPECT_EQ(total_elements(untied) - total_elements(tied), 256 * 64);
}

TEST(ParameterTable, DecayLeavesOutVectorsAndBiases) {
  for (const ParameterSpec& p : parameter_table(preset("llama:debug")))
    EXPECT_EQ(p.decay, p.shape.size() == 2) << p.name;
}

TEST(ParameterTable, ProjectionsToTheResidualStartSmallerByMegatronsRule) {
  const std::vector<ParameterSpec> table = parameter_table(preset("qwen3:debug"));
  EXPECT_DOUBLE_EQ(row(table, "layers.0.attn.qkv.weight").init.std, 0.02);
  EXPECT_DOUBLE_EQ(row(table, "layers.0.attn.out.weight").init.std, 0.02 / std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(row(table, "layers.0.mlp.down.weight").init.std, 0.02 / std::sqrt(8.0));
  EXPECT_EQ(row(table, "head.norm.weight").init.kind, InitKind::ones);
}

TEST(Shards, OfQkvTakeWholeHeadsOfEachSegment) {
  const std::vector<ParameterSpec> table = parameter_table(preset("qwen3:debug"));
  const Shard shard = shard_of(row(table, "layers.0.attn.qkv.weight"), 1, 2);
  EXPECT_EQ(shard.shape, (std::vector<int64_t>{128, 64}));
  ASSERT_EQ(shard.boxes.size(), 3u);
  // q rows 0-127, k rows 128-191, v rows 192-255: rank 1 holds the upper half of each
  EXPECT_EQ(shard.boxes[0].logical, (Box{{64, 0}, {64, 64}}));
  EXPECT_EQ(shard.boxes[1].logical, (Box{{160, 0}, {32, 64}}));
  EXPECT_EQ(shard.boxes[2].logical, (Box{{224, 0}, {32, 64}}));
  EXPECT_EQ(shard.boxes[1].local_start, (std::vector<int64_t>{64, 0}));
  EXPECT_EQ(shard.boxes[2].local_start, (std::vector<int64_t>{96, 0}));
}

// Every element of every parameter of every family is held exactly once per tp group (replicas: by every
// rank).
TEST(Shards, CoverEveryElementOnceAtTp124) {
  for (const char* name : {"llama:debug", "qwen2:debug", "qwen3:debug-tied", "mistral:debug"})
    for (const ParameterSpec& p : parameter_table(preset(name)))
      for (const int size : {1, 2, 4}) {
        std::vector<int> held(static_cast<size_t>(p.elements()), 0);
        const int64_t columns = p.shape.size() > 1 ? p.shape[1] : 1;
        for (int rank = 0; rank < size; ++rank)
          for (const ShardBox& box : shard_of(p, rank, size).boxes)
            for (int64_t r = box.logical.start[0]; r < box.logical.start[0] + box.logical.size[0]; ++r) {
              const int64_t first = columns == 1 ? 0 : box.logical.start[1];
              const int64_t width = columns == 1 ? 1 : box.logical.size[1];
              for (int64_t c = first; c < first + width; ++c) ++held[static_cast<size_t>(r * columns + c)];
            }
        const int expected = p.tp_dim < 0 ? size : 1;
        EXPECT_EQ(std::set<int>(held.begin(), held.end()), std::set<int>{expected})
            << name << " " << p.name << " tp" << size;
      }
}

TEST(Shards, PadTheVocabularyAfterItsLastRow) {
  ModelSpec model = preset("qwen3:debug");
  model.vocab = 250;
  const std::vector<ParameterSpec> table = parameter_table(model);
  const Shard last = shard_of(row(table, "embedding.weight"), 3, 4, 256);
  EXPECT_EQ(last.shape, (std::vector<int64_t>{64, 64}));
  ASSERT_EQ(last.boxes.size(), 1u);
  EXPECT_EQ(last.boxes[0].logical,
            (Box{{192, 0}, {58, 64}}));  // 192 + 58 = 250; 6 rows of padding hold nothing
  // A rank with padding only holds no box, and no negative size.
  const Shard empty = shard_of(row(table, "embedding.weight"), 7, 8, 512);
  EXPECT_EQ(empty.shape, (std::vector<int64_t>{64, 64}));
  EXPECT_TRUE(empty.boxes.empty());
}

TEST(Shards, RefuseWhatDoesNotDivideWithTheNumbers) {
  const std::vector<ParameterSpec> table = parameter_table(preset("qwen3:debug"));
  try {
    shard_of(row(table, "layers.0.mlp.gate_up.weight"), 0, 7);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("96 rows of segment \"gate\""), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("7"), std::string::npos);
  }
}

}  // namespace
}  // namespace mindspeed
