// Samples of GPTDataset: tokens, labels, masks and positions against megatron-core's; blends; the index
// cache.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/data/gpt_dataset.h"
#include "front/data/index/blend.h"
#include "front/formats/indexed_dataset.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

std::string golden_path(const std::string& name) {
  return test::golden_dir() + "/megatron/gpt_dataset/" + name;
}
Json golden(const std::string& name) { return read_json(golden_path(name + ".json")); }

struct Arrays {
  std::vector<int64_t> tokens, labels, positions;
  std::vector<float> mask;
  std::vector<int32_t> starts;
  bool operator==(const Arrays&) const = default;
};

Arrays read(const SampleSet& set, int64_t index) {
  const auto n = static_cast<size_t>(set.sequence_length());
  Arrays a{
      std::vector<int64_t>(n), std::vector<int64_t>(n), std::vector<int64_t>(n), std::vector<float>(n), {}};
  set.read(index, {a.tokens, a.labels, a.mask, a.positions, &a.starts});
  return a;
}

GptConfig config_of(const Json& json) {
  GptConfig config;
  config.sequence_length = json.at("sequence_length");
  config.seed = json.at("random_seed");
  config.split = json.at("split");
  config.extra_token = json.value("add_extra_token_to_sequence", true);
  config.drop_last_partial_valid = json.value("drop_last_partial_validation_sequence", true);
  config.rules.eod = json.at("eod");
  config.rules.pad = json.at("pad").is_null() ? -1 : json.at("pad").get<int64_t>();
  config.rules.eod_mask_loss = json.at("eod_mask_loss");
  config.rules.reset_position_ids = json.at("reset_position_ids");
  config.rules.reset_attention_mask = json.at("reset_attention_mask");
  return config;
}

SplitSets open_case(const Json& json, const std::string& cache = "") {
  GptConfig config = config_of(json);
  config.cache = cache;
  std::vector<std::string> prefixes;
  for (const Json& prefix : json.at("prefixes")) prefixes.push_back(golden_path(prefix));
  std::vector<double> weights;
  if (!json.at("weights").is_null()) weights = json.at("weights").get<std::vector<double>>();
  SplitSizes sizes;
  for (size_t i = 0; i < 3; ++i)
    if (!json.at("sizes")[i].is_null()) sizes[i] = json.at("sizes")[i].get<int64_t>();
  return open_gpt_splits(prefixes, weights, config, sizes);
}

// Row q of Megatron's attention mask: '1' where key k is hidden from query q.
std::vector<std::string> attention_rows(const std::vector<int32_t>& starts, size_t length) {
  std::vector<std::string> rows(length, std::string(length, '1'));
  for (size_t q = 0; q < length; ++q) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), static_cast<int32_t>(q));
    for (auto k = static_cast<size_t>(*(next - 1)); k <= q; ++k) rows[q][k] = '0';
  }
  return rows;
}

int expect_samples(const SampleSet& set, const Json& part) {
  const Json& samples = part.contains("samples_fresh") ? part.at("samples_fresh") : part.at("samples");
  for (const auto& [number, expected] : samples.items()) {
    SCOPED_TRACE("sample " + number);
    const Arrays a = read(set, std::stoll(number));
    EXPECT_EQ(a.tokens, expected.at("tokens").get<std::vector<int64_t>>());
    EXPECT_EQ(a.labels, expected.at("labels").get<std::vector<int64_t>>());
    EXPECT_EQ(a.mask, expected.at("loss_mask").get<std::vector<float>>());
    EXPECT_EQ(a.positions, expected.at("position_ids").get<std::vector<int64_t>>());
    EXPECT_EQ(set.supervised(std::stoll(number)), std::count(a.mask.begin(), a.mask.end(), 1.0f));
    if (expected.contains("attention_masked")) {
      EXPECT_EQ(attention_rows(a.starts, a.tokens.size()),
                expected.at("attention_masked").get<std::vector<std::string>>());
    }
  }
  return static_cast<int>(samples.size());
}

const std::vector<std::string> kCases{"blend_30_70",
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

TEST(GptDataset, EverySampleEqualsMegatron) {
  int compared = 0;
  for (const std::string& name : kCases) {
    SCOPED_TRACE(name);
    const Json file = golden(name);
    const SplitSets sets = open_case(file.at("config"));
    for (const Split split : kSplits) {
      const Json& part = file.at(std::string(split_name(split)));
      const auto& set = sets[static_cast<size_t>(split)];
      ASSERT_EQ(set == nullptr, part.is_null());
      if (part.is_null()) continue;
      EXPECT_EQ(set->size(), part.at("length").get<int64_t>());
      compared += expect_samples(*set, part);
    }
  }
  EXPECT_GT(compared, 600);
}

TEST(GptDataset, ASampleDoesNotDependOnWhatWasReadBefore) {
  const Json config = golden("valid_partial").at("config");
  const SplitSets fresh = open_case(config), used = open_case(config);
  for (int64_t i = 0; i < 5; ++i) read(*used[1], i);
  const Arrays alone = read(*fresh[1], 5);
  EXPECT_EQ(read(*used[1], 5), alone);
  EXPECT_EQ(read(*used[1], 5), alone);
  EXPECT_NE(read(*used[1], 4), alone);
}

TEST(GptDataset, ASplitThatRoundsToNothingIsRefused) {
  Json config = golden("split_90_5_5_sep").at("config");
  config["split"] = "999,1,0";  // 40 sequences: 0.04 of one
  try {
    open_case(config);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    EXPECT_NE(std::string(e.what()).find("gives valid weight"), std::string::npos) << e.what();
  }
}

TEST(GptDataset, ABlendOfTinySharesNeverRunsDry) {
  GptConfig config;
  config.sequence_length = 64;
  config.split = "1,0,0";
  const std::vector<std::string> prefixes{golden_path("set_a"), golden_path("set_b")};
  const SplitSets sets = open_gpt_splits(prefixes, std::vector<double>{0.001, 0.999}, config, {1000, 0, 0});
  const auto& blend = dynamic_cast<const BlendedSet&>(*sets[0]);
  EXPECT_NEAR(static_cast<double>(blend.index().counts[0]), 1.0, 1.0);
  for (int64_t i = 0; i < blend.size(); ++i) read(blend, i);
  // Without weights, more samples than one epoch holds: further epochs, not an early end.
  const SplitSets many = open_gpt_splits(prefixes, {}, config, {500, 0, 0});
  EXPECT_GE(many[0]->size(), 500);
  EXPECT_NO_THROW(read(*many[0], many[0]->size() - 1));
}

TEST(IndexCache, IsUsedAgainAndRebuiltWhenDamaged) {
  const std::string folder = test::temporary_dir("index_cache");
  const Json file = golden("split_90_5_5_sep");
  const auto check = [&] {
    const SplitSets sets = open_case(file.at("config"), folder);
    for (const Split split : kSplits)
      expect_samples(*sets[static_cast<size_t>(split)], file.at(std::string(split_name(split))));
  };
  check();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  EXPECT_EQ(files.size(), 12u);  // 3 splits, each 3 arrays and a description
  const auto written = fs::last_write_time(files[0]);
  check();
  EXPECT_EQ(fs::last_write_time(files[0]), written);
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.string());
    std::string bytes = read_file(path);
    bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
    write_file_atomic(path, bytes);
    check();
    EXPECT_NE(read_file(path), bytes);  // written anew
    write_file_atomic(path, bytes.substr(0, bytes.size() / 2));
    check();
  }
}

}  // namespace
}  // namespace mindspeed
