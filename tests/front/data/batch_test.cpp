// Micro-batches of a run: how ranks share a step, resuming, and the count that a loss is divided by.
#include <gtest/gtest.h>

#include <algorithm>

#include "front/base/error.h"
#include "front/data/batch.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

TrainingDataConfig mock_config(int64_t micro, int dp) {
  TrainingDataConfig config;
  config.data.mock = true;
  config.data.eod = 9;
  config.data.eod_mask_loss = true;
  config.batch = {
      .micro = micro, .global = 8, .sequence = 32, .steps = 10, .micro_batches = 8 / (micro * dp)};
  config.eval = {.interval = 5, .iterations = 2};
  config.dp = dp;
  config.vocab = 300;
  return config;
}

TrainingDataConfig file_config() {
  TrainingDataConfig config;
  config.data.paths = {test::golden_dir() + "/megatron/gpt_dataset/set_eod"};
  config.data.split = "1,0,0";
  config.data.eod = 7;
  config.data.eod_mask_loss = true;
  config.batch = {.micro = 2, .global = 8, .sequence = 64, .steps = 4, .micro_batches = 2};
  config.dp = 2;
  config.vocab = 1000;
  return config;
}

// Rows of a step in the order of their samples, whatever the cut.
std::vector<std::vector<int64_t>> step_rows(const TrainingData& data, const TrainingDataConfig& config,
                                            int64_t consumed) {
  std::vector<std::vector<int64_t>> rows;
  for (int64_t k = 0; k < config.batch.micro_batches; ++k)
    for (int rank = 0; rank < config.dp; ++rank) {
      const Batch batch = data.micro_batch(Split::train, consumed, k, rank);
      for (int64_t b = 0; b < batch.micro; ++b) {
        const auto begin = batch.tokens.begin() + b * batch.sequence;
        rows.emplace_back(begin, begin + batch.sequence);
      }
    }
  return rows;
}

TEST(TrainingData, TheSameStepHoldsTheSameSamplesInEveryCut) {
  const TrainingDataConfig whole = mock_config(8, 1);
  const TrainingData reference(whole);
  const auto expected = step_rows(reference, whole, 16);
  const int64_t supervised = reference.supervised_tokens(Split::train, 16);
  EXPECT_LT(supervised, 8 * 32);  // ends of documents are masked
  for (const auto& [micro, dp] : {std::pair{1, 1}, {2, 1}, {4, 1}, {2, 2}, {1, 4}, {4, 2}}) {
    SCOPED_TRACE(std::to_string(micro) + " x " + std::to_string(dp));
    const TrainingDataConfig config = mock_config(micro, dp);
    const TrainingData data(config);
    EXPECT_EQ(step_rows(data, config, 16), expected);
    EXPECT_EQ(data.supervised_tokens(Split::train, 16), supervised);
  }
  EXPECT_NE(step_rows(reference, whole, 24), expected);
}

TEST(TrainingData, TheSupervisedCountIsTheSumOfAllMasks) {
  for (const TrainingDataConfig& config : {mock_config(2, 2), file_config()}) {
    const TrainingData data(config);
    float sum = 0;
    for (int64_t k = 0; k < config.batch.micro_batches; ++k)
      for (int rank = 0; rank < config.dp; ++rank) {
        const Batch batch = data.micro_batch(Split::train, 8, k, rank);
        for (const float m : batch.loss_mask) sum += m;
      }
    EXPECT_EQ(data.supervised_tokens(Split::train, 8), static_cast<int64_t>(sum));
    EXPECT_GT(sum, 0);
  }
}

TEST(TrainingData, PartsHaveTheSizesOfTheRun) {
  const TrainingData data(mock_config(2, 2));
  EXPECT_EQ(data.size(Split::train), 80);
  EXPECT_EQ(data.size(Split::valid), (10 / 5 + 1) * 2 * 8);
  EXPECT_EQ(data.size(Split::test), 2 * 8);
  EXPECT_NE(data.micro_batch(Split::train, 0, 0, 0).tokens, data.micro_batch(Split::valid, 0, 0, 0).tokens);
  EXPECT_THROW(data.micro_batch(Split::train, 80, 0, 0), Error);
  // 80 training samples end, 48 validation samples begin again.
  EXPECT_EQ(data.micro_batch(Split::valid, 48, 0, 0).tokens, data.micro_batch(Split::valid, 0, 0, 0).tokens);
  EXPECT_EQ(data.supervised_tokens(Split::valid, 44), data.supervised_tokens(Split::valid, 92));
  const TrainingData files(file_config());
  EXPECT_TRUE(files.has(Split::train));
  EXPECT_FALSE(files.has(Split::valid));
}

TEST(TrainingData, AnIdOutsideTheVocabularyIsAnError) {
  TrainingDataConfig config = file_config();
  config.vocab = 500;
  EXPECT_THROW(TrainingData(config).micro_batch(Split::train, 0, 0, 0), Error);
  config = file_config();
  config.data.eod = -1;
  EXPECT_THROW(TrainingData{config}, Error);  // eod_mask_loss without an end-of-document token
  config = file_config();
  config.tokenizer_fingerprint = "of some tokenizer";
  EXPECT_NO_THROW(TrainingData{config});  // a pair of Megatron says nothing about its tokenizer
  config = file_config();
  config.data.paths.clear();
  EXPECT_THROW(TrainingData{config}, Error);
}

}  // namespace
}  // namespace mindspeed
