// Hugging Face -> ours -> Hugging Face gives the same bytes; our stacked tensors hold the rows where they
// belong.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/convert/convert.h"
#include "front/convert/moves.h"
#include "front/convert/open.h"
#include "front/formats/safetensors_folder.h"
#include "tests/front/convert/folders.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::golden_dir;

class Golden : public testing::TestWithParam<std::string> {};

// Faults 42 and 43: every file that goes back is the one that came.
TEST_P(Golden, FolderComesBackByteForByte) {
  const fs::path from = fs::path(golden_dir()) / "hf" / GetParam();
  const fs::path to = fs::path(test::temporary_dir("roundtrip")) / "out";
  ConvertOptions options;
  options.load_dir = from;
  options.save_dir = to;
  const ConvertResult result = convert_model(options);
  bool equal = true;
  for (const char* file : {"model.safetensors", "config.json", "generation_config.json"}) {
    equal = equal && read_file(from / file) == read_file(to / file);
    EXPECT_TRUE(equal) << file;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(to), fs::directory_iterator{}), 3);  // and nothing else
  EXPECT_TRUE(test::prove(GetParam(), "roundtrip.hf", equal));

  // The table counts what is in the file.
  int64_t elements = 0;
  const SafetensorsFile file(from / "model.safetensors");
  for (const SafetensorsEntry& entry : file.entries()) elements += whole(entry.shape).elements();
  EXPECT_EQ(total_elements(parameter_table(test::model_at(from))), elements);
  EXPECT_EQ(result.parameters, elements);
}
INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(test::golden_models()),
                         [](const auto& info) { return info.param; });

// Fault 6: 4 query heads, 2 kv heads, every head filled with its own number.
TEST(FusedQkv, RowsAreAllQThenAllKThenAllV) {
  const fs::path folder = test::copy_of_golden("llama_gqa");
  const SafetensorsFile original(fs::path(golden_dir()) / "hf/llama_gqa/model.safetensors");
  SafetensorsWriter writer(folder / "model.safetensors", original.entries(), original.metadata());
  for (const SafetensorsEntry& entry : original.entries()) {
    std::vector<float> values(entry.bytes / sizeof(float), 0.0f);
    const float base = entry.name.find("q_proj") != std::string::npos   ? 100.0f
                       : entry.name.find("k_proj") != std::string::npos ? 200.0f
                                                                        : 300.0f;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = base + static_cast<float>(i / (16 * 64));  // head number
    writer.write(entry.name, std::as_bytes(std::span(values)));
  }
  writer.finish();
  const auto source = test::weights_at(folder);
  const std::vector<float> qkv =
      test::read_whole(*source, "layers.1.attn.qkv.weight");  // [(4 + 2 + 2) * 16, 64]
  const std::vector<float> heads{100, 101, 102, 103, 200, 201, 300, 301};
  ASSERT_EQ(qkv.size(), heads.size() * 16 * 64);
  for (size_t i = 0; i < qkv.size(); ++i) ASSERT_EQ(qkv[i], heads[i / (16 * 64)]) << i;

  // Rank 1 of 2 holds q2 q3 k1 v1.
  const std::vector<ParameterSpec> table = parameter_table(test::model_at(folder));
  for (const ParameterSpec& p : table) {
    if (p.name != "layers.1.attn.qkv.weight") continue;
    std::vector<float> held;
    for (const ShardBox& box : shard_of(p, 1, 2).boxes)
      for (const float v : test::read_box(*source, p.name, box.logical)) held.push_back(v);
    const std::vector<float> rank1{102, 103, 201, 301};
    ASSERT_EQ(held.size(), rank1.size() * 16 * 64);
    for (size_t i = 0; i < held.size(); ++i) ASSERT_EQ(held[i], rank1[i / (16 * 64)]) << i;
  }
}

TEST(Boxes, AcrossSegmentsEqualTheSameCutOfTheWhole) {
  const auto source = test::weights_at(fs::path(golden_dir()) / "hf/llama_bias");
  const std::vector<float> all =
      test::read_whole(*source, "layers.0.attn.qkv.weight");  // [128, 32]: q 64, k 32, v 32
  const std::vector<float> part = test::read_box(*source, "layers.0.attn.qkv.weight", {{60, 5}, {50, 7}});
  for (int64_t r = 0; r < 50; ++r)
    for (int64_t c = 0; c < 7; ++c)
      ASSERT_EQ(part[static_cast<size_t>(r * 7 + c)], all[static_cast<size_t>((60 + r) * 32 + 5 + c)]);
  const std::vector<float> bias = test::read_whole(*source, "layers.0.attn.qkv.bias");
  EXPECT_EQ(test::read_box(*source, "layers.0.attn.qkv.bias", {{90}, {12}}),
            std::vector<float>(bias.begin() + 90, bias.begin() + 102));
  EXPECT_NE(test::error_of([&] {
              test::read_box(*source, "layers.0.attn.qkv.bias", {{120}, {12}});
            }).find("outside shape [128]"),
            std::string::npos);
}

// Moves on a small tensor, by hand, in both directions.
TEST(Moves, InterleavedRopeAndTransposeAreInvertible) {
  ParameterSpec p;
  p.name = "w";
  p.shape = {8, 2};  // two heads of 4 channels
  const std::vector<float> ours{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
  // Within a head the outside order is 0 2 1 3: channel pairs (0, 2) and (1, 3) stand side by side.
  const std::vector<float> interleaved{0, 0, 2, 2, 1, 1, 3, 3, 4, 4, 6, 6, 5, 5, 7, 7};
  const std::vector<float> transposed{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  for (const auto& [piece, outside] : {std::pair{Piece{"x", "", Move::interleaved_rope, 4}, interleaved},
                                       std::pair{Piece{"x", "", Move::transpose, 0}, transposed}}) {
    std::vector<float> out(16);
    write_through(p, piece, 4, std::as_bytes(std::span(ours)), std::as_writable_bytes(std::span(out)));
    EXPECT_EQ(out, outside);
    const std::vector<int64_t> shape = outside_shape(p, piece);
    const auto read = [&](const Box& box, std::span<std::byte> target) {
      size_t at = 0;
      for (int64_t r = box.start[0]; r < box.start[0] + box.size[0]; ++r)
        for (int64_t c = box.start[1]; c < box.start[1] + box.size[1]; ++c)
          std::memcpy(&target[4 * at++], &outside[static_cast<size_t>(r * shape[1] + c)], 4);
    };
    std::vector<float> part(6);
    read_through(p, piece, {{3, 0}, {3, 2}}, 4, read, std::as_writable_bytes(std::span(part)));
    EXPECT_EQ(part, (std::vector<float>{3, 3, 4, 4, 5, 5}));
  }
}

TEST(Tied, HeadReadsAsTheEmbedding) {
  const auto source = test::weights_at(fs::path(golden_dir()) / "hf/qwen3_tied");
  for (const TensorInfo& info : source->list()) EXPECT_NE(info.name, "head.weight");
  EXPECT_EQ(test::read_box(*source, "head.weight", {{7, 0}, {3, 32}}),
            test::read_box(*source, "embedding.weight", {{7, 0}, {3, 32}}));
}

}  // namespace
}  // namespace mindspeed
