// Decisions that change what ranks compute are taken by all of them: a bad number on one rank, the loss
// scale.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/train/loop.h"
#include "engine/train/pretrain.h"
#include "engine/train/resume.h"
#include "front/base/error.h"
#include "front/base/text.h"
#include "tests/support/debug_run.h"
#include "tests/support/golden_model.h"
#include "tests/support/proof.h"
#include "tests/support/ranks.h"

namespace mindspeed {
namespace {

// "tp pp dp sharded" -> the plan of a run of 8 samples a step.
Plan plan_of(const std::string& layout, MeshDegrees& degrees) {
  const std::vector<std::string> words = split(layout, ' ');
  degrees.tp = std::stoi(words[0]);
  degrees.pp = std::stoi(words[1]);
  degrees.dp = std::stoi(words[2]);
  Plan plan = test::debug_plan(degrees);
  plan.batch = {.micro = 2, .global = 8, .sequence = 32, .steps = 20, .micro_batches = 4 / degrees.dp};
  plan.optimizer.sharded = words[3] == "1";
  return plan;
}

// Every gradient of rank 1 alone is infinite in step 2: no weight moves anywhere, and all count it.
void infinity_on_rank_1(test::Rank& rank) {
  MeshDegrees degrees;
  Plan plan = plan_of(rank.argument, degrees);
  plan.run.non_finite = NonFinite::skip;
  plan.run.max_skips = 2;
  const Mesh mesh = rank.mesh(degrees);
  int64_t calls = 0;
  const int64_t per_step = plan.batch.micro_batches;
  TrainingRun run(plan, mesh, test::touched_objective(plan, mesh, [&](int64_t, StepContext& c) {
                    if (rank.index == 1 && ++calls > per_step)
                      c.row_weights[0][3] = std::numeric_limits<float>::infinity();
                  }));
  begin_run(run);
  train_step(run);
  const test::Snapshot before = test::snapshot(run);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(train_step(run).skipped);
  EXPECT_TRUE(test::equal(before, test::snapshot(run)));
  EXPECT_EQ(run.counters.skipped_steps, 2);
  EXPECT_EQ(run.optimizer.steps(), 1);
  try {
    train_step(run);
    ADD_FAILURE() << "the third in a row did not stop the run";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("step 4"), std::string::npos) << e.what();
  }
}

TEST(Fault22, AnInfinityOnOneRankChangesNoWeightOnAnyAndIsCountedByAll) {
  for (const char* layout : {"1 1 2 0", "1 1 2 1", "2 1 1 0", "1 2 1 0"}) {
    SCOPED_TRACE(layout);
    test::ranks(2).run(infinity_on_rank_1, layout);
  }
}

// fp16 with a scale that overflows at first: every rank halves it at the same steps.
void fp16_steps(test::Rank& rank) {
  MeshDegrees degrees;
  Plan plan = plan_of(rank.argument, degrees);
  plan.precision.parameters = DType::f16;
  plan.precision.loss_scale = {
      .dynamic = true, .initial = 1LL << 28, .minimum = 1, .window = 8, .hysteresis = 2};
  const Mesh mesh = rank.mesh(degrees);
  TrainingRun run(plan, mesh, std::make_unique<PretrainObjective>(plan, mesh));
  begin_run(run);
  std::vector<double> record;
  for (int i = 0; i < 20; ++i) {
    const StepReport report = train_step(run);
    record.insert(record.end(),
                  {report.skipped ? 1.0 : 0.0, report.loss_scale, report.loss, report.gradient_norm});
  }
  rank.put("record", at::tensor(record, at::kDouble).view({20, 4}));
}

TEST(Fp16Ranks, ScaleSkipsAndLossesAreThoseOfOneRank) {
  test::ranks(1).run(fp16_steps, "1 1 1 0");
  const at::Tensor alone = test::ranks(1).get(0, "record");
  const double skipped = alone.select(1, 0).sum().item<double>();
  ASSERT_GT(skipped, 0) << "the scale never overflowed: nothing is tested";
  ASSERT_LT(skipped, 15);
  for (const char* layout : {"1 1 2 0", "1 1 2 1", "2 1 1 0", "1 2 1 0"}) {
    test::ranks(2).run(fp16_steps, layout);
    bool equal = true;
    for (int r = 0; r < 2; ++r) {
      const at::Tensor record = test::ranks(2).get(r, "record");
      EXPECT_TRUE(at::equal(record.narrow(1, 0, 2), alone.narrow(1, 0, 2))) << layout << " rank " << r;
      equal &= at::equal(record.narrow(1, 0, 2), alone.narrow(1, 0, 2));
      const at::Tensor trained = alone.select(1, 0).eq(0);
      const double error = ((record.select(1, 2) - alone.select(1, 2)).abs() / alone.select(1, 2))
                               .masked_select(trained)
                               .max()
                               .item<double>();
      EXPECT_LE(error, 2e-3) << layout << " rank " << r;
      equal &= error <= 2e-3;
    }
    std::string name = layout;
    for (char& c : name)
      if (c == ' ') c = '_';
    test::prove("qwen3", "fp16.ranks." + name, equal);
  }
}

}  // namespace
}  // namespace mindspeed
