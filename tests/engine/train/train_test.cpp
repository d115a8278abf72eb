#include <gtest/gtest.h>

#include <limits>

#include "engine/train/export_weights.h"
#include "engine/train/loop.h"
#include "engine/train/pretrain.h"
#include "engine/train/records.h"
#include "engine/train/resume.h"
#include "front/base/error.h"
#include "front/convert/open.h"
#include "tests/support/debug_run.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// A run whose k-th micro-batch overall (from 1) has a NaN among its row weights.
std::unique_ptr<TrainingRun> poisoned(const Plan& plan, std::function<bool(int64_t)> bad) {
  const Mesh mesh = single_mesh();
  auto count = std::make_shared<int64_t>(0);
  auto run = std::make_unique<TrainingRun>(plan, mesh,
                                           test::touched_objective(plan, mesh, [=](int64_t, StepContext& c) {
                                             if (bad(++*count))
                                               c.row_weights[0][3] = std::numeric_limits<float>::quiet_NaN();
                                           }));
  begin_run(*run);
  return run;
}

TEST(Train, LossFallsOnSyntheticData) {
  Plan plan = test::debug_plan();
  plan.batch.steps = 80;
  plan.lr.decay_samples = 480;
  auto run = test::begin(plan);
  const double first = train_step(*run).loss;
  double last = 0.0;
  while (run->counters.iteration < plan.batch.steps) last = train_step(*run).loss;
  EXPECT_NEAR(first, std::log(256.0), 0.2);  // random weights know nothing: ln(vocabulary)
  EXPECT_LT(last, 3.0);
}

TEST(Train, AccumulationGivesTheGradientOfTheWholeBatch) {
  Plan plan = test::debug_plan();
  auto three = test::begin(plan);
  plan.batch.micro = 6;
  plan.batch.micro_batches = 1;
  auto one = test::begin(plan);
  const StepReport a = train_step(*three), b = train_step(*one);
  EXPECT_NEAR(a.loss, b.loss, 1e-6 * b.loss);
  EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-5 * b.gradient_norm);
}

TEST(Train, AGrowingBatchTrainsEachStepOnItsOwnSamples) {
  Plan plan = test::debug_plan();
  plan.batch.rampup = {
      .start = 2, .increment = 2, .samples = 8};  // 2, 2, 4, then 6; one increment per 4 samples
  Plan small = plan;
  small.batch.rampup = {};
  small.batch.global = 2;
  small.batch.micro_batches = 1;
  auto growing = test::begin(plan), constant = test::begin(small);
  for (int step = 0; step < 2; ++step) {
    const StepReport a = train_step(*growing), b = train_step(*constant);
    EXPECT_EQ(a.global_batch, 2);
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(a.gradient_norm, b.gradient_norm);
  }
  EXPECT_EQ(train_step(*growing).global_batch, 4);
  EXPECT_EQ(growing->counters.consumed_samples, 8);
  EXPECT_EQ(train_step(*growing).global_batch, 6);
  EXPECT_EQ(growing->counters.consumed_samples, 14);
  EXPECT_EQ(growing->schedule_samples(), 14);
}

TEST(Train, ANaNStopsTheRunNamingStepAndParameterAndChangesNoWeight) {
  auto run = poisoned(test::debug_plan(), [](int64_t k) { return k == 5; });  // second micro-batch of step 2
  train_step(*run);
  const test::Snapshot before = test::snapshot(*run);
  const std::string message = error_of([&] { train_step(*run); });
  EXPECT_NE(message.find("step 2"), std::string::npos) << message;
  EXPECT_NE(message.find("embedding.weight"), std::string::npos) << message;
  EXPECT_TRUE(test::equal(before, test::snapshot(*run)));
  EXPECT_EQ(run->counters.iteration, 1);
}

TEST(Train, ASkippedStepMovesTheDataButNeitherWeightsNorLearningRate) {
  Plan plan = test::debug_plan();
  plan.run.non_finite = NonFinite::skip;
  auto run = poisoned(plan, [](int64_t k) { return k == 5; });
  const StepReport first = train_step(*run);
  const test::Snapshot before = test::snapshot(*run);
  const StepReport skipped = train_step(*run);
  EXPECT_TRUE(skipped.skipped);
  EXPECT_TRUE(test::equal(before, test::snapshot(*run)));
  EXPECT_EQ(skipped.consumed_samples, 12);
  const StepReport third = train_step(*run);
  EXPECT_FALSE(third.skipped);
  EXPECT_EQ(third.learning_rate, first.next_learning_rate);
  EXPECT_EQ(run->counters.skipped_steps, 1);
  EXPECT_FALSE(test::equal(before, test::snapshot(*run)));
}

TEST(Train, TooManySkipsInARowStopTheRun) {
  Plan plan = test::debug_plan();
  plan.run.non_finite = NonFinite::skip;
  plan.run.max_skips = 2;
  auto run = poisoned(plan, [](int64_t) { return true; });
  train_step(*run);
  train_step(*run);
  EXPECT_NE(error_of([&] { train_step(*run); }).find("3 steps in a row"), std::string::npos);
}

TEST(Train, EvaluationIsTheMeanOverFreshSamplesAndChangesNothing) {
  Plan plan = test::debug_plan_on_files();  // dropout must be off while evaluating
  plan.data.split = "80,20,0";
  plan.eval = {.interval = 5, .iterations = 2};
  plan.batch.steps = 5;
  auto run = test::begin(plan);
  const test::Snapshot before = test::snapshot(*run);
  const double loss = evaluate(*run).value();
  EXPECT_EQ(run->counters.consumed_valid_samples, 12);
  EXPECT_TRUE(test::equal(before, test::snapshot(*run)));
  run->counters.consumed_valid_samples = 0;
  EXPECT_EQ(evaluate(*run), loss);
  EXPECT_NEAR(loss, std::log(1024.0), 0.2);
}

TEST(Resume, AChangedScheduleNeedsAnExplicitChoice) {
  LrPlan saved;
  saved.style = "cosine";
  saved.lr = 1e-3;
  saved.warmup_samples = 0.13 * 40;
  saved.decay_samples = 100;
  LrPlan now = saved;
  CheckpointPlan choice;
  EXPECT_EQ(choose_schedule(now, schedule_record(saved), choice).decay_samples, 100);
  now.decay_samples = 200;
  const std::string message = error_of([&] { choose_schedule(now, schedule_record(saved), choice); });
  EXPECT_NE(message.find("decay_samples: 100 -> 200"), std::string::npos) << message;
  choice.override_schedule = true;
  EXPECT_EQ(choose_schedule(now, schedule_record(saved), choice).decay_samples, 200);
  choice = {};
  choice.use_checkpoint_schedule = true;
  const LrPlan kept = choose_schedule(now, schedule_record(saved), choice);
  EXPECT_EQ(schedule_record(kept), schedule_record(saved));
  EXPECT_EQ(kept.warmup_samples, saved.warmup_samples);
}

TEST(Resume, FinetuneTakesTheWeightsAndRestartsTheCounters) {
  Plan plan = test::debug_plan();
  plan.checkpoint.save = test::temporary_dir("finetune");
  auto run = test::begin(plan);
  train_step(*run);
  save_run(*run);
  plan.checkpoint.load = plan.checkpoint.save;
  plan.checkpoint.finetune = true;
  plan.lr.lr = plan.lr.min_lr = 1e-4;  // another schedule is no contradiction for a new run
  auto tuned = test::begin(plan);
  EXPECT_EQ(tuned->counters.iteration, 0);
  EXPECT_EQ(tuned->optimizer.steps(), 0);
  const test::Snapshot a = test::snapshot(*run), b = test::snapshot(*tuned);
  EXPECT_TRUE(at::equal(a.at("model/embedding.weight"), b.at("model/embedding.weight")));
  EXPECT_EQ(b.at("exp_avg/embedding.weight").abs().max().item<float>(), 0.0f);
}

TEST(Export, TheHuggingFaceFolderHoldsTheTrainedWeights) {
  Plan plan = test::debug_plan();
  plan.checkpoint.export_hf = test::temporary_dir("export") + "/hf";
  auto run = test::begin(plan);
  train_step(*run);
  export_weights(*run);
  Model read(plan, single_mesh());
  read.load(*open_weights(plan.checkpoint.export_hf, plan.model, plan.parameters));
  for (const Parameter* p : run->model.store().parameters()) {
    const Parameter& other = read.parameters().bind(p->spec.name);
    EXPECT_TRUE(at::equal(p->value, other.value)) << p->spec.name;
  }
}

TEST(Pretrain, DocumentStartsAndWeightsBecomeTensors) {
  Batch batch{2,
              4,
              {1, 2, 3, 4, 5, 6, 7, 8},
              {2, 3, 4, 5, 6, 7, 8, 9},
              {1, 0, 1, 1, 1, 1, 1, 1},
              {0, 1, 0, 1, 0, 1, 2, 3},
              {{0, 2}, {0}}};
  const StepContext c = step_context(batch, 14, 6, 1234, true);
  EXPECT_TRUE(at::equal(c.doc_starts, at::tensor({0, 0, 2, 2, 0, 0, 0, 0}, at::kLong).view({2, 4})));
  EXPECT_TRUE(at::equal(c.sample_ids, at::tensor({6, 7}, at::kLong)));
  EXPECT_EQ(c.row_weights[0][1].item<float>(), 0.0f);
  EXPECT_EQ(c.row_weights[1][2].item<float>(), 1.0f / 14.0f);
  batch.document_starts = {{0}, {0}};
  EXPECT_FALSE(step_context(batch, 14, 6, 1234, true).doc_starts.defined());
}

}  // namespace
}  // namespace mindspeed
