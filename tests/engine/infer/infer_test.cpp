#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/infer/commands.h"
#include "engine/infer/generator.h"
#include "engine/infer/sampling.h"
#include "engine/infer/text_stream.h"
#include "front/base/error.h"
#include "tests/support/golden_model.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

std::vector<int32_t> row_of(const at::Tensor& ids, int64_t row, int64_t count) {
  std::vector<int32_t> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(static_cast<int32_t>(ids[row][i].item<int64_t>()));
  return out;
}

// Greedy continuation without any cache: the whole sequence is run again for every token.
std::vector<int32_t> greedy_without_cache(Model& model, std::vector<int32_t> tokens, int64_t count) {
  std::vector<int32_t> fresh;
  for (int64_t i = 0; i < count; ++i) {
    const at::Tensor ids = at::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())).unsqueeze(0);
    const at::Tensor logits = model.stages()[0]->infer({}, next_token_context(ids, HeadMode::logits)).hidden;
    fresh.push_back(static_cast<int32_t>(logits[0][-1].argmax().item<int64_t>()));
    tokens.push_back(fresh.back());
  }
  return fresh;
}

class Decode : public testing::TestWithParam<const char*> {};

TEST_P(Decode, CachedBatchEqualsAloneEqualsNoCache) {
  const GoldenModel g = open_golden(GetParam());
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  GenerationRequest request;
  request.sampling.greedy = true;
  request.max_new_tokens = 12;
  request.prompts = {row_of(g.input_ids, 0, 20), row_of(g.input_ids, 1, 7), row_of(g.input_ids, 1, 1)};
  const std::vector<Generation> batch = generate(model, request);
  bool same = true;
  for (size_t i = 0; i < request.prompts.size(); ++i) {
    GenerationRequest alone = request;
    alone.prompts = {request.prompts[i]};
    EXPECT_EQ(generate(model, alone)[0].ids, batch[i].ids) << i;
    const std::vector<int32_t> full = greedy_without_cache(model, request.prompts[i], 12);
    EXPECT_EQ(full, batch[i].ids) << i;
    same = same && full == batch[i].ids;
  }
  prove(g.plan.model.family, std::string("decode.") + g.name, same);
}
INSTANTIATE_TEST_SUITE_P(Golden, Decode,
                         testing::Values("llama_gqa", "qwen2", "qwen3_tied", "mistral_window"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Generator, PrefixOfAnEarlierTurnIsReusedWithTheSameAnswer) {
  const GoldenModel g = open_golden("qwen3_tied");
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  PrefixCache prefix;
  GenerationRequest request;
  request.sampling.greedy = true;
  request.max_new_tokens = 5;
  request.prompts = {row_of(g.input_ids, 0, 10)};
  generate(model, request, &prefix);
  EXPECT_EQ(prefix.tokens.size(), 14u);  // the fifth token was drawn but never fed
  request.prompts = {row_of(g.input_ids, 0, 16)};
  EXPECT_EQ(generate(model, request, &prefix)[0].ids, generate(model, request)[0].ids);
}

TEST(Generator, RowsStopOnTheirOwnAndTooLongIsRefused) {
  const GoldenModel g = open_golden("qwen3_tied");
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  GenerationRequest request;
  request.sampling.greedy = true;
  request.max_new_tokens = 8;
  request.prompts = {row_of(g.input_ids, 0, 9), row_of(g.input_ids, 1, 9)};
  const std::vector<Generation> free = generate(model, request);
  // The last token of row 0 that was not drawn before: the row must end just there, the other row must not
  // care.
  size_t cut = 0;
  for (size_t i = 1; i < free[0].ids.size(); ++i)
    if (std::find(free[0].ids.begin(), free[0].ids.begin() + static_cast<int64_t>(i), free[0].ids[i]) ==
        free[0].ids.begin() + static_cast<int64_t>(i))
      cut = i;
  request.stop_ids = {free[0].ids[cut]};
  const std::vector<Generation> stopped = generate(model, request);
  EXPECT_EQ(stopped[0].ids.size(), cut);
  EXPECT_EQ(stopped[0].reason, FinishReason::stop_token);
  const auto met = std::find(free[1].ids.begin(), free[1].ids.end(), free[0].ids[cut]);
  EXPECT_EQ(stopped[1].ids, std::vector<int32_t>(free[1].ids.begin(), met));
  request.max_new_tokens = 120;
  EXPECT_THROW(generate(model, request), Error);  // 9 + 120 > 128 positions
}

// Fault 12: rows that pad the vocabulary are no tokens.
TEST(Fault12, ARowOfThePaddingIsNeverDrawn) {
  GoldenModel g = open_golden("qwen3_tied");
  const int64_t vocab = g.plan.model.vocab;
  g.plan.padded_vocab = vocab + 64;
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  const at::Tensor table = model.parameters().bind("embedding.weight").value.detach();
  ASSERT_EQ(table.size(0), vocab + 64);
  // Row vocab + i points along axis i, so that some padding row would win any argmax.
  table.narrow(0, vocab, 64).zero_();
  for (int64_t i = 0; i < 64; ++i) table[vocab + i][i / 2 % table.size(1)] = i % 2 == 0 ? 1e4 : -1e4;
  GenerationRequest request;
  request.max_new_tokens = 12;
  request.prompts = {row_of(g.input_ids, 0, 9)};
  for (const bool greedy : {true, false}) {
    request.sampling.greedy = greedy;
    const auto answers = generate(model, request);
    for (const int32_t id : answers[0].ids) EXPECT_LT(id, vocab);
  }
  EXPECT_LE(
      relative_error(model.stages()[0]->infer({}, next_token_context(g.input_ids, HeadMode::logits)).hidden,
                     g.logits),
      1e-5);
}

TEST(Sampling, FiltersFollowTheirDefinition) {
  // Probabilities 0.5, 0.25, 0.125, 0.125.
  const at::Tensor logits =
      at::tensor(std::vector<float>{std::log(4.f), std::log(2.f), 0.f, 0.f}).unsqueeze(0);
  const std::vector<int64_t> rows{0};
  const auto counts = [&](SamplingOptions options) {
    std::map<int32_t, int> seen;
    for (int64_t step = 0; step < 4000; ++step) ++seen[sample(logits, options, rows, step)[0]];
    return seen;
  };
  SamplingOptions options;
  EXPECT_NEAR(counts(options)[0], 2000, 160);  // 5 standard deviations
  EXPECT_NEAR(counts(options)[3], 500, 105);
  options.top_k = 2;
  EXPECT_NEAR(counts(options)[0], 2667, 150);
  EXPECT_EQ(counts(options).size(), 2u);
  options.top_k = 0;
  options.top_p = 0.6;  // 0.5 does not reach it, 0.75 does: two tokens
  EXPECT_EQ(counts(options).size(), 2u);
  options.top_p = 0.5;
  EXPECT_EQ(counts(options).size(), 1u);
  options.temperature = 0.0;
  EXPECT_THROW(check_sampling(options), Error);
}

}  // namespace
}  // namespace mindspeed::test
