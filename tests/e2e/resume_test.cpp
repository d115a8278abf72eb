// A run that stops and goes on is the run that never stopped, to the bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "engine/train/loop.h"
#include "engine/train/pretrain.h"
#include "engine/train/resume.h"
#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "front/formats/checkpoint/folder.h"
#include "tests/support/debug_run.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::Snapshot;

struct Outcome {
  RunEnd end = RunEnd::finished;
  Snapshot state;
  RunCounters counters;
};

Outcome train(const Plan& plan) {
  const Mesh mesh = single_mesh();
  TrainingRun run(plan, mesh, std::make_unique<PretrainObjective>(plan, mesh));
  const RunEnd end = train_loop(run, {});
  return {end, test::snapshot(run), run.counters};
}

// Loss and learning rate of every step from a JSONL record, as text with all digits.
std::vector<std::string> record(const std::string& path) {
  std::vector<std::string> out;
  for (const std::string& line : split(read_file(path), '\n')) {
    if (line.empty()) continue;
    const Json j = parse_json(line, path);
    if (j.contains("loss"))
      out.push_back(fmt::format("{} {} {}", j["step"].dump(), j["loss"].dump(), j["lr"].dump()));
  }
  return out;
}

// 20 steps in one go against 8, resume, 12.
bool resumes_exactly(Plan plan, const char* name) {
  const std::string folder = test::temporary_dir(name);
  plan.log.jsonl = folder + "/whole.jsonl";
  const Outcome whole = train(plan);

  plan.log.jsonl = folder + "/parts.jsonl";
  plan.checkpoint.save = plan.checkpoint.load = folder + "/checkpoints";
  plan.run.exit_interval = 8;
  const Outcome first = train(plan);
  EXPECT_EQ(first.end, RunEnd::exit_interval);
  EXPECT_EQ(first.counters.iteration, 8);
  EXPECT_FALSE(test::equal(first.state, whole.state));
  plan.run.exit_interval = 0;
  const Outcome second = train(plan);
  EXPECT_EQ(second.counters.iteration, 20);
  EXPECT_EQ(second.counters.consumed_samples, 120);
  EXPECT_EQ(record(folder + "/whole.jsonl"), record(folder + "/parts.jsonl"));
  EXPECT_EQ(record(folder + "/parts.jsonl").size(), 20u);
  return test::equal(whole.state, second.state);
}

TEST(Resume, EightAndTwelveStepsAreTwentyBitForBitOnMockData) {
  EXPECT_TRUE(resumes_exactly(test::debug_plan(), "mock"));
}

TEST(Resume, MidEpochWithAccumulationAndDropoutOnFilesBitForBit) {
  const Plan plan = test::debug_plan_on_files();
  // 40 documents of about 75 tokens make 94 samples of 32: step 8 is in the middle of an epoch, step 16 in
  // the next.
  EXPECT_TRUE(test::prove("qwen3", "resume", resumes_exactly(plan, "files")));
  Plan without = plan;
  without.model.hidden_dropout = 0.0;
  EXPECT_FALSE(test::equal(train(plan).state, train(without).state))
      << "dropout changes nothing: it is not tested";
}

TEST(Resume, Bf16KeepsItsMasterCopyBitForBit) {
  Plan plan = test::debug_plan_on_files();
  plan.precision.parameters = DType::bf16;
  EXPECT_TRUE(test::prove("qwen3", "resume.bf16", resumes_exactly(plan, "bf16")));
}

TEST(Resume, WhatIsSavedInTheBackgroundIsTheStateOfItsStep) {
  Plan plan = test::debug_plan();
  plan.checkpoint.background = true;
  plan.checkpoint.save_interval = 3;  // step 8 is saved while 6 may still be written
  EXPECT_TRUE(test::prove("qwen3", "resume.async_save", resumes_exactly(plan, "background")));
}

TEST(Resume, ARunThatDiesOfANaNHasCompletedTheSaveThatWasUnderWay) {
  Plan plan = test::debug_plan();
  plan.checkpoint.background = true;
  plan.checkpoint.save_interval = 4;
  plan.checkpoint.save = test::temporary_dir("dies");
  const Mesh mesh = single_mesh();
  int64_t micro_batches = 0;
  TrainingRun run(plan, mesh, test::touched_objective(plan, mesh, [&](int64_t, StepContext& c) {
                    if (++micro_batches == 13) c.row_weights[0][0] = std::nan("");  // in step 5
                  }));
  EXPECT_THROW(train_loop(run, {}), Error);
  EXPECT_EQ(complete_checkpoints(plan.checkpoint.save), std::vector<int64_t>{4});
}

TEST(Resume, ASignalSavesAndTheRunGoesOnBitForBit) {
  Plan plan = test::debug_plan();
  const Outcome whole = train(plan);
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("signal");
  const Mesh mesh = single_mesh();
  int64_t micro_batches = 0;
  TrainingRun run(plan, mesh, test::touched_objective(plan, mesh, [&](int64_t, StepContext&) {
                    if (++micro_batches == 13) ::raise(SIGTERM);  // in the first micro-batch of step 5
                  }));
  EXPECT_EQ(train_loop(run, {}), RunEnd::signal);
  EXPECT_EQ(run.counters.iteration, 5);
  EXPECT_TRUE(test::prove("qwen3", "resume.signal", test::equal(train(plan).state, whole.state)));
}

TEST(Resume, AFinishedRunThatIsStartedAgainChangesNothing) {
  Plan plan = test::debug_plan();
  plan.batch.steps = 4;
  plan.eval = {.interval = 4, .iterations = 2};
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("finished");
  const Outcome first = train(plan), again = train(plan);
  EXPECT_EQ(again.end, RunEnd::finished);
  EXPECT_EQ(again.counters.iteration, 4);
  EXPECT_EQ(again.counters.consumed_valid_samples, first.counters.consumed_valid_samples);
  EXPECT_TRUE(test::equal(first.state, again.state));
}

TEST(Resume, AFinishedRunCanBeMadeLongerAndEvaluatedAgain) {
  Plan plan = test::debug_plan();
  plan.batch.steps = 4;
  plan.eval = {.interval = 4, .iterations = 2};
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("longer");
  train(plan);
  plan.batch.steps = 8;
  plan.checkpoint.override_schedule = true;
  EXPECT_EQ(train(plan).counters.iteration,
            8);  // validation samples begin again: more are needed than 4 steps planned
  plan.run.skip_train = true;
  plan.checkpoint.save.clear();
  const Outcome once = train(plan), again = train(plan);
  EXPECT_EQ(once.counters.consumed_valid_samples,
            2 * plan.batch.global);  // from the beginning, whatever was loaded
  EXPECT_TRUE(test::equal(once.state, again.state));
}

TEST(Resume, ASignalWhileEvaluatingSavesAtOnce) {
  Plan plan = test::debug_plan();
  plan.eval = {.interval = 3, .iterations = 1000};
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("signal_evaluation");
  const Mesh mesh = single_mesh();
  int64_t micro_batches = 0;
  TrainingRun run(plan, mesh, test::touched_objective(plan, mesh, [&](int64_t, StepContext&) {
                    if (++micro_batches == 3 * plan.batch.micro_batches + 2) ::raise(SIGTERM);
                  }));
  EXPECT_EQ(train_loop(run, {}), RunEnd::signal);
  EXPECT_EQ(run.counters.iteration, 3);
  EXPECT_LT(micro_batches, 4 * plan.batch.micro_batches + 4);
  EXPECT_EQ(run.counters.consumed_valid_samples, 1000 * plan.batch.global);  // as if it had been finished
  EXPECT_EQ(complete_checkpoints(plan.checkpoint.save), std::vector<int64_t>{3});
}

TEST(Resume, TheCheckpointsOfAnotherRunAreNotOverwritten) {
  Plan plan = test::debug_plan();
  plan.batch.steps = 2;
  plan.checkpoint.save = test::temporary_dir("another");
  train(plan);
  const auto refusal = [](const Plan& p) {
    try {
      train(p);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal(plan).find("holds the checkpoints of another run (up to iteration 2)"),
            std::string::npos);
  plan.checkpoint.load = plan.checkpoint.save + "/iter_0000002";
  EXPECT_NO_THROW(train(plan));
  const FolderClaim other(plan.checkpoint.save);
  EXPECT_NE(refusal(plan).find("another run writes its checkpoints here now"), std::string::npos);
}

TEST(Resume, WithoutTheOptimizersStateTheRunIsAnother) {
  Plan plan = test::debug_plan();
  const Outcome whole = train(plan);
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("weights");
  plan.run.exit_interval = 8;
  train(plan);
  plan.run.exit_interval = 0;
  plan.checkpoint.load_optimizer = false;
  EXPECT_FALSE(test::equal(train(plan).state, whole.state));
}

TEST(Recompute, ChangesNoBitOfWeightsAndOptimizer) {
  Plan plan = test::debug_plan_on_files();
  plan.batch.steps = 5;
  const Outcome plain = train(plan);
  plan.recompute.granularity = Recompute::full;
  EXPECT_TRUE(test::prove("qwen3", "recompute", test::equal(train(plan).state, plain.state)));
  for (const int64_t group : {2, 3}) {  // of four layers: 2 + 2 and 3 + 1
    plan.recompute.layers = group;
    EXPECT_TRUE(test::prove("qwen3", "recompute.uniform" + std::to_string(group),
                            test::equal(train(plan).state, plain.state)));
  }
  plan.recompute.method = "block";
  plan.recompute.layers = 2;
  EXPECT_TRUE(test::prove("qwen3", "recompute.block", test::equal(train(plan).state, plain.state)));
}

}  // namespace
}  // namespace mindspeed
