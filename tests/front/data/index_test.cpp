// Sample order: numpy's generator, the three index arrays, splits and blends, against what numpy and
// megatron-core wrote into tests/golden/megatron/gpt_dataset.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/data/index/blend.h"
#include "front/data/index/checked.h"
#include "front/data/index/gpt_index.h"
#include "front/data/index/split.h"
#include "front/data/numpy_random.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

Json golden(const std::string& name) {
  return read_json(test::golden_dir() + "/megatron/gpt_dataset/" + name + ".json");
}

std::vector<int64_t> values(const IndexArray& array) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < array.size(); ++i) out.push_back(array[i]);
  return out;
}

std::vector<int64_t> flat(const Json& rows) {
  std::vector<int64_t> out;
  for (const Json& row : rows)
    for (const Json& v : row) out.push_back(v.get<int64_t>());
  return out;
}

std::optional<int64_t> optional_count(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<int64_t>(value.get<int64_t>());
}

// Compares the indices of one file and split with the golden; returns how many arrays were compared.
int expect_index(const Json& expected, const Json& config, const std::string& prefix, Split split) {
  const auto lengths = golden(prefix).at("sequence_lengths").get<std::vector<int32_t>>();
  const SplitPart part =
      parse_split(config.at("split").get<std::string>())[static_cast<size_t>(split)].value();
  GptIndexRequest request;
  request.lengths = lengths;
  request.range = split_range(part, static_cast<int64_t>(lengths.size()));
  request.num_samples = optional_count(expected.at("num_samples"));
  request.sequence_length = config.at("sequence_length");
  request.seed = config.at("random_seed");
  request.extra_token = config.value("add_extra_token_to_sequence", true);
  request.drop_last_partial =
      split != Split::valid || config.value("drop_last_partial_validation_sequence", true);
  EXPECT_EQ(request.range.begin, expected.at("split_indices")[0].get<int64_t>());
  EXPECT_EQ(request.range.end, expected.at("split_indices")[1].get<int64_t>());
  const GptIndex index = build_gpt_index(request);
  EXPECT_EQ(index.size(), expected.at("length").get<int64_t>());
  EXPECT_EQ(values(index.documents), expected.at("document_index").get<std::vector<int64_t>>());
  EXPECT_EQ(values(index.samples), flat(expected.at("sample_index")));
  EXPECT_EQ(values(index.shuffle), expected.at("shuffle_index").get<std::vector<int64_t>>());
  return 3;
}

TEST(NumpyRandom, DrawsAndShufflesAsNumpyDoes) {
  const Json cases = golden("numpy_shuffle").at("cases");
  ASSERT_EQ(cases.size(), 5u);
  for (const Json& c : cases) {
    const uint32_t seed = c.at("seed");
    Mt19937 bits(seed);
    for (const Json& word : c.at("first_uint32")) EXPECT_EQ(bits.next32(), word.get<uint32_t>());
    NumpyRandom random(seed);  // one state, all shuffles in this order
    for (const Json& expected : c.at("shuffles"))
      EXPECT_EQ(random.permutation(expected.size()), expected.get<std::vector<int64_t>>());
  }
}

TEST(GptIndex, EqualsMegatronInEveryGoldenCase) {
  const std::vector<std::string> names{"blend_30_70",
                                       "blend_exhaustive",
                                       "blend_weights_unnormalised",
                                       "eod_all",
                                       "eod_all_pad_is_eod",
                                       "eod_mask_loss",
                                       "eod_plain",
                                       "eod_reset_attn",
                                       "eod_reset_pos",
                                       "multi_sequence",
                                       "no_extra_token",
                                       "split_100_nosep",
                                       "split_100_one_epoch",
                                       "split_100_sep",
                                       "split_90_5_5_none",
                                       "split_90_5_5_sep",
                                       "split_half_bounds",
                                       "valid_partial"};
  int arrays = 0;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Json file = golden(name);
    const Json& config = file.at("config");
    for (const Split split : kSplits) {
      const Json& part = file.at(std::string(split_name(split)));
      if (part.is_null()) continue;
      const Json sets = part.contains("datasets") ? part.at("datasets") : Json::array({part});
      for (size_t i = 0; i < sets.size(); ++i)
        arrays += expect_index(sets[i], config, config.at("prefixes")[i], split);
    }
  }
  EXPECT_EQ(arrays, 99);
}

TEST(GptIndex, ASplitWithoutTokensIsRefusedInsteadOfLooping) {
  const std::vector<int32_t> lengths{0, 0, 5};
  GptIndexRequest request{.lengths = lengths, .range = {0, 2}, .num_samples = 4, .sequence_length = 8};
  EXPECT_THROW(build_gpt_index(request), Error);
  request.range = {0, 0};
  EXPECT_THROW(build_gpt_index(request), Error);
  request.range = {2, 3};
  EXPECT_EQ(build_gpt_index(request).size(), 4);  // 5 tokens, read 7 times: (35 - 1) / 8
}

TEST(GptIndex, CountsBeyond32BitsStayExact) {
  // Two sequences of 600,000,000 int32 tokens: the second pointer (faults.md 31), and one epoch of samples.
  EXPECT_EQ(checked_mul(600'000'000, 4, "pointer"), 2'400'000'000);
  EXPECT_THROW(checked_int32(2'400'000'000, "pointer"), Error);
  EXPECT_THROW(checked_mul(INT64_MAX / 2, 3, "tokens"), Error);
  EXPECT_THROW(checked_add(INT64_MAX, 1, "tokens"), Error);
  const std::vector<int32_t> lengths(4, 1'500'000'000);
  const GptIndexShape shape =
      gpt_index_shape({.lengths = lengths, .range = {0, 4}, .num_samples = {}, .sequence_length = 4096});
  EXPECT_EQ(shape.tokens_per_epoch, 6'000'000'000);
  EXPECT_EQ(shape.samples, 1'464'843);
}

TEST(Splits, BoundsRoundHalfToEvenAsPython) {
  const SplitMatrix half = parse_split("8125,1000,875");  // 40 sequences: 32.5 -> 32, 36.5 -> 36
  EXPECT_EQ(split_range(*half[0], 40).end, 32);
  EXPECT_EQ(split_range(*half[1], 40).end, 36);
  const Json config = golden("split_90_5_5_sep").at("config");
  const SplitMatrix matrix = parse_split("90,5,5");
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(matrix[i]->begin, config.at("split_matrix")[i][0].get<double>());
    EXPECT_EQ(matrix[i]->end, config.at("split_matrix")[i][1].get<double>());
  }
  EXPECT_FALSE(parse_split("100,0,0")[1].has_value());
  for (const char* bad : {"", "a", "1,2,3,4", "-1,2", "0,0,0", "nan"})
    EXPECT_THROW(parse_split(bad), Error) << bad;
}

TEST(Splits, SampleCountsAreMegatrons) {
  // train 100 * 8; valid (100 / 30 + 1) * 5 * 8; test 5 * 8
  EXPECT_EQ(samples_per_split(800, 100, 8, 30, 5), (std::array<int64_t, 3>{800, 160, 40}));
  EXPECT_EQ(samples_per_split(803, 100, 8, 30, 0), (std::array<int64_t, 3>{803, 0, 0}));
}

TEST(Blend, OrderEqualsMegatron) {
  for (const char* name : {"blend_30_70", "blend_weights_unnormalised"}) {
    const Json file = golden(name);
    for (const Split split : kSplits) {
      const Json& part = file.at(std::string(split_name(split)));
      if (part.is_null()) continue;
      SCOPED_TRACE(std::string(name) + " " + std::string(split_name(split)));
      const int64_t asked = file.at("config").at("sizes")[static_cast<size_t>(split)];
      const auto weights = normalize_weights(file.at("config").at("weights").get<std::vector<double>>());
      EXPECT_EQ(weights, part.at("weights").get<std::vector<double>>());
      const BlendSizes sizes = blend_sizes(weights, asked);
      EXPECT_EQ(sizes.total, part.at("size").get<int64_t>());
      for (size_t i = 0; i < 2; ++i)
        EXPECT_EQ(sizes.per_set[i], part.at("datasets")[i].at("num_samples").get<int64_t>());
      const BlendIndex index = build_blend(weights, sizes.total);
      EXPECT_EQ(index.set, part.at("dataset_index").get<std::vector<int16_t>>());
      EXPECT_EQ(index.sample, part.at("dataset_sample_index").get<std::vector<int64_t>>());
    }
  }
  const Json all = golden("blend_exhaustive").at("train");
  const BlendIndex index = build_exhaustive_blend(all.at("weights").get<std::vector<int64_t>>());
  EXPECT_EQ(index.set, all.at("dataset_index").get<std::vector<int16_t>>());
  EXPECT_EQ(index.sample, all.at("dataset_sample_index").get<std::vector<int64_t>>());
}

TEST(Blend, TinyWeightsStayWithinOneOfTheirTarget) {
  const BlendIndex index = build_blend(std::vector<double>{0.001, 0.999}, 1000);
  EXPECT_NEAR(static_cast<double>(index.counts[0]), 1.0, 1.0);
  EXPECT_NEAR(static_cast<double>(index.counts[1]), 999.0, 1.0);
  EXPECT_THROW(normalize_weights(std::vector<double>{-1.0, 2.0}), Error);
  EXPECT_THROW(normalize_weights(std::vector<double>{0.0, 0.0}), Error);
}

}  // namespace
}  // namespace mindspeed
