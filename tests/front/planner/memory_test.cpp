// The memory forecast against arithmetic by hand.
#include "front/planner/describe.h"
#include "tests/front/planner/planning.h"

namespace mindspeed {
namespace {

using test::expect_contains;
using test::plan_line;

uint64_t item(const MemoryForecast& forecast, const std::string& name) {
  for (const MemoryItem& item : forecast.items)
    if (item.name == name) return item.bytes;
  ADD_FAILURE() << "no item " << name;
  return 0;
}

TEST(Memory, WeightsGradientsAndOptimizerAreBytesPerParameter) {
  const Planned fp32 = plan_line("--preset debug");  // vocabulary 256 needs no padding
  const auto n = static_cast<uint64_t>(total_elements(fp32.plan.parameters));
  EXPECT_EQ(item(fp32.memory[0], "weights"), 4 * n);
  EXPECT_EQ(item(fp32.memory[0], "gradients (fp32)"), 4 * n);
  EXPECT_EQ(item(fp32.memory[0], "optimizer state"), 8 * n);
  const Planned bf16 = plan_line("--preset debug --bf16");
  EXPECT_EQ(item(bf16.memory[0], "weights"), 2 * n);
  EXPECT_EQ(item(bf16.memory[0], "optimizer state"), 12 * n);
  const Planned sharded = plan_line("--preset debug --bf16 --use-distributed-optimizer", 2);
  EXPECT_EQ(item(sharded.memory[0], "optimizer state"), 6 * n);
}

TEST(Memory, ATiedTableIsCountedOncePerStageThatUsesIt) {
  const Planned one = plan_line("--preset qwen3:debug-tied");
  const Planned two = plan_line("--preset qwen3:debug-tied --pipeline-model-parallel-size 2", 2);
  const uint64_t table = 256 * 64 * 4;
  EXPECT_EQ(item(two.memory[0], "weights") + item(two.memory[1], "weights"),
            item(one.memory[0], "weights") + table);
}

TEST(Memory, ActivationsOfADenseLayerAreCountedPerToken) {
  const LayerSpec layer = plan_line("--preset debug").plan.model.layers[0];
  // hidden 64, 4 heads and 2 key/value heads of 32, feed-forward 96: input 64, normalised 64, q 128, k and v
  // 128, output 128, q and k before their norm 192; then input 64, normalised 64, gate, up and product 288.
  EXPECT_EQ(layer_activations(layer, 64, {}).kept, 64 + 64 + 128 + 128 + 128 + 192 + 64 + 64 + 288);
  MeshDegrees mesh;
  mesh.tp = 2;
  EXPECT_EQ(layer_activations(layer, 64, mesh).kept, 4 * 64 + (128 + 128 + 128 + 192 + 288) / 2);
  mesh.sequence_parallel = true;
  EXPECT_EQ(layer_activations(layer, 64, mesh).kept, (4 * 64 + 128 + 128 + 128 + 192 + 288) / 2);
}

TEST(Memory, LogitsExistInChunksOfRows) {
  // 64 MiB / (4 bytes x 151936) = 110 rows, logits and their gradient; the small vocabulary has 512 rows.
  EXPECT_EQ(item(plan_line("--preset qwen3-0.6b --seq-length 512 --make-vocab-size-divisible-by 1").memory[0],
                 "logits"),
            110u * 151936 * 2 * 4);
  EXPECT_EQ(item(plan_line("--preset debug").memory[0], "logits"), 512u * 256 * 2 * 4);
}

TEST(Memory, FullRecomputeKeepsOnlyTheInputOfEachLayer) {
  const uint64_t all = item(plan_line("--preset qwen3-0.6b --seq-length 512").memory[0], "activations");
  const uint64_t few =
      item(plan_line("--preset qwen3-0.6b --seq-length 512 --recompute-granularity full").memory[0],
           "activations");
  EXPECT_GT(all, 5 * few);
  EXPECT_GT(few, 28ull * 512 * 1024 * 4);
}

// Peak resident sizes (MiB) of real runs of three steps on one rank, as bench/memory.sh prints them
// (docs/log.md).
TEST(Memory, ForecastsAreWithinFifteenPercentOfMeasuredPeaks) {
  const std::string one = " --seq-length 256 --micro-batch-size 1 --global-batch-size 1";
  const std::string two = " --seq-length 512 --micro-batch-size 2 --global-batch-size 2";
  const std::pair<std::string, double> recorded[] = {
      {"--preset debug --seq-length 64 --micro-batch-size 2 --global-batch-size 2", 141},
      {"--preset qwen3-80m" + one, 1737},
      {"--preset qwen3-80m" + two, 2284},
      {"--preset qwen3-80m" + two + " --recompute-granularity full", 1628},
      {"--preset qwen3-80m" + two + " --recompute-granularity full --recompute-num-layers 7", 1917},
      {"--preset qwen3-80m" + two + " --bf16", 2174},
      {"--preset smollm2-135m" + one, 2692},
      {"--preset smollm2-135m" + two, 3482},
      {"--preset smollm2-135m" + two + " --bf16", 3275},
  };
  for (const auto& [flags, measured] : recorded) {
    const double forecast = static_cast<double>(plan_line(flags).memory[0].total()) / (1 << 20);
    EXPECT_NEAR(forecast, measured, 0.15 * measured) << flags;
  }
}

TEST(Memory, WhatDoesNotFitIsRefusedWithTheTableAndTheKnobs) {
  PlannerInputs inputs = test::inputs_for(1);
  const Settings settings = parse_settings(
      kPretrain, split("--preset qwen3-8b --mock-data --train-iters 1 --lr 1e-3 --seq-length 512", ' '));
  EXPECT_NO_THROW(make_plan(settings, inputs));
  inputs.host_memory = 16ull << 30;
  try {
    make_plan(settings, inputs);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    expect_contains(e.what(), "which has 16.0 GiB");
    expect_contains(e.what(), "no shorter or smaller batch would fit either");
    expect_contains(e.what(), "optimizer state");
  }
}

TEST(Memory, TheDescriptionNamesEveryPart) {
  const std::string text =
      describe(plan_line("--preset debug --tensor-model-parallel-size 2 --global-batch-size 8", 4));
  expect_contains(text, "qwen3: 4 layers, hidden 64, vocabulary 256 (padded to 256)");
  expect_contains(text, "4 ranks: tensor 2 x pipeline 1 x data 2");
  expect_contains(text, "8 sequences of 512 tokens = 4 micro-batches of 1 x 2 ranks; 4096 tokens per step");
  expect_contains(text, "stage 0: embedding, layers 0-3, head");
  expect_contains(text, "peak");
}

// What the refusal recommends is accepted when it is followed.
void expect_advice_that_holds(const std::string& line, uint64_t room, const std::string& advice) {
  PlannerInputs inputs = test::inputs_for(1);
  inputs.host_memory = room;
  const auto plan = [&](const std::string& words) {
    make_plan(parse_settings(kPretrain, test::words_of(words)), inputs);
  };
  std::string message;
  try {
    plan(line);
    FAIL() << "accepted: " << line;
  } catch (const Error& e) {
    message = e.what();
  }
  test::expect_contains(message, advice);
  const size_t begin = message.find("this would fit: ") + 16, end = message.find(" (", begin);
  std::string rest = line;
  for (const char* flag : {" --micro-batch-size 8", " --seq-length 32768", " --seq-length 1024"}) {
    const std::string name = std::string(flag).substr(0, std::string(flag).find(' ', 1));
    const size_t at = rest.find(flag);
    if (at != std::string::npos &&
        message.substr(begin, end - begin).find(name.substr(1)) != std::string::npos)
      rest.erase(at, std::string(flag).size());
  }
  EXPECT_NO_THROW(plan(rest + " " + message.substr(begin, end - begin))) << message;
}

TEST(Memory, ARefusalSaysWhatWouldFitAndItDoes) {
  const std::string base = "--preset qwen3-0.6b --mock-data --train-iters 10 --lr 1e-4";
  const uint64_t gib = uint64_t{1} << 30;
  expect_advice_that_holds(base + " --micro-batch-size 8 --seq-length 1024", 16 * gib,
                           "this would fit: --micro-batch-size 1 --global-batch-size 8 (");
  expect_advice_that_holds(base + " --micro-batch-size 8 --seq-length 32768", 11 * gib, "--bf16 --seq-length ");
  PlannerInputs tiny = test::inputs_for(1);
  tiny.host_memory = gib;
  try {
    make_plan(parse_settings(kPretrain, test::words_of(base + " --seq-length 1024")), tiny);
    FAIL() << "accepted";
  } catch (const Error& e) {
    test::expect_contains(e.what(), "no shorter or smaller batch would fit either");
  }
}

}  // namespace
}  // namespace mindspeed
