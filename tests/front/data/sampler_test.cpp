// Which samples a rank takes, and the mock data.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "front/base/error.h"
#include "front/data/mock/mock_dataset.h"
#include "front/data/sampler.h"

namespace mindspeed {
namespace {

using Numbers = std::vector<int64_t>;

TEST(SingleSampler, RanksTakeContiguousSlicesOfEachGroup) {
  const auto sampler = make_sampler("single", {.total = 14, .micro = 2, .dp = 3, .data_sharding = true});
  EXPECT_EQ(sampler->samples(0, 0), (Numbers{0, 1}));
  EXPECT_EQ(sampler->samples(0, 2), (Numbers{4, 5}));
  EXPECT_EQ(sampler->samples(6, 1), (Numbers{8, 9}));
  EXPECT_THROW(sampler->samples(12, 0), Error);  // samples 12 and 13 are an incomplete group: dropped
  EXPECT_THROW(make_sampler("random", {.total = 9, .micro = 1, .dp = 1, .data_sharding = true}), Error);
  EXPECT_THROW(make_sampler("single", {.total = 5, .micro = 2, .dp = 3, .data_sharding = true}), Error);
}

TEST(CyclicSampler, PermutesAsTorchAndResumesInTheMiddle) {
  // torch.manual_seed(0); torch.randperm(10)
  EXPECT_EQ(torch_randperm(10, 0), (std::vector<uint32_t>{4, 1, 7, 5, 3, 9, 0, 8, 6, 2}));
  const auto one = make_sampler("cyclic", {.total = 10, .micro = 2, .dp = 1, .data_sharding = true});
  EXPECT_EQ(one->samples(0, 0), (Numbers{4, 1}));
  EXPECT_EQ(one->samples(4, 0), (Numbers{3, 9}));
  for (const bool sharding : {true, false}) {
    const auto sampler =
        make_sampler("cyclic", {.total = 23, .micro = 2, .dp = 3, .data_sharding = sharding});
    std::set<int64_t> first, second;
    Numbers order_first, order_second;
    for (int64_t consumed = 0; consumed < 36; consumed += 6)
      for (int rank = 0; rank < 3; ++rank)
        for (const int64_t n : sampler->samples(consumed, rank)) {
          (consumed < 18 ? first : second).insert(n);
          (consumed < 18 ? order_first : order_second).push_back(n);
        }
    EXPECT_EQ(first.size(), 18u);  // every sample at most once per epoch
    EXPECT_EQ(second.size(), 18u);
    EXPECT_NE(order_first, order_second);
  }
}

struct Arrays {
  std::vector<int64_t> tokens, labels, positions;
  std::vector<float> mask;
  std::vector<int32_t> starts;
};

Arrays read(const SampleSet& set, int64_t index) {
  const auto length = static_cast<size_t>(set.sequence_length());
  Arrays a{Numbers(length), Numbers(length), Numbers(length), std::vector<float>(length), {}};
  set.read(index, {a.tokens, a.labels, a.mask, a.positions, &a.starts});
  return a;
}

TEST(MockData, IsDeterministicLearnableAndWithinTheVocabulary) {
  MockConfig config{
      .size = 100, .sequence_length = 64, .vocab = 50, .seed = 7, .split = Split::train, .rules = {}};
  const MockDataset set(config);
  config.split = Split::valid;
  const MockDataset valid(config);
  int followed = 0, pairs = 0;
  for (int64_t i = 0; i < 100; ++i) {
    const Arrays a = read(set, i);
    EXPECT_EQ(a.tokens, read(set, i).tokens);
    EXPECT_NE(a.tokens, read(valid, i).tokens);
    for (size_t t = 0; t < a.tokens.size(); ++t) {
      ASSERT_LT(a.tokens[t], 50);
      followed += a.labels[t] == (5 * a.tokens[t] + 17) % 50;
      ++pairs;
    }
  }
  EXPECT_NEAR(static_cast<double>(followed) / pairs, 7.0 / 8 + 1.0 / 8 / 50, 0.01);
  config.rules = {
      .eod = 49, .pad = -1, .eod_mask_loss = true, .reset_position_ids = true, .reset_attention_mask = true};
  const MockDataset documents(config);
  int64_t ends = 0;
  for (int64_t i = 0; i < 100; ++i) ends += static_cast<int64_t>(read(documents, i).starts.size()) - 1;
  EXPECT_GT(ends, 50);  // 6400 tokens, one end in 64
}

}  // namespace
}  // namespace mindspeed
