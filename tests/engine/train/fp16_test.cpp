// fp16 with a loss scale (faults.md: gradients that vanish or overflow unseen).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/loop.h"
#include "engine/train/pretrain.h"
#include "engine/train/resume.h"
#include "front/base/error.h"
#include "tests/support/debug_run.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

Plan fp16_plan(double scale) {
  Plan plan = test::debug_plan();
  plan.precision.parameters = DType::f16;
  plan.precision.loss_scale = {
      .dynamic = true, .initial = scale, .minimum = 1, .window = 1000, .hysteresis = 2};
  return plan;
}

// Gradients of the first step, divided by the loss scale, when every row weighs `weight` times as much.
test::Snapshot first_gradients(const Plan& plan, double weight) {
  const Mesh mesh = single_mesh();
  TrainingRun run(plan, mesh, test::touched_objective(plan, mesh, [=](int64_t, StepContext& c) {
                    c.row_weights.mul_(weight);
                  }));
  begin_run(run);
  const double scale = run.scaler.scale();
  train_step(run);
  test::Snapshot out;
  for (const Parameter* p : run.model.store().parameters())
    out[p->spec.name] = p->main_grad.to(at::kDouble) / (scale * weight);
  return out;
}

// Largest difference of any gradient over the largest element of that gradient.
double worst(const test::Snapshot& ours, const test::Snapshot& reference) {
  double out = 0;
  for (const auto& [name, tensor] : reference)
    out = std::max(out, ((ours.at(name) - tensor).abs().max() / tensor.abs().max()).item<double>());
  return out;
}

TEST(Fp16, FollowsFp32StepByStep) {
  const Plan half = fp16_plan(65536);
  Plan full = half;
  full.precision = {};
  auto a = test::begin(half), b = test::begin(full);
  for (int i = 0; i < 20; ++i) {
    const StepReport x = train_step(*a), y = train_step(*b);
    EXPECT_FALSE(x.skipped);
    EXPECT_NEAR(x.loss, y.loss, 2e-3 * y.loss) << "step " << i + 1;
    EXPECT_NEAR(x.gradient_norm, y.gradient_norm, 1e-2 * y.gradient_norm) << "step " << i + 1;
  }
}

TEST(Fp16, SmallGradientsSurviveWithTheScaleAndVanishWithoutIt) {
  // As in a step of a hundred thousand times as many tokens: gradients fall below fp16's smallest number,
  // 6e-8.
  constexpr double kWeight = 1e-5;
  Plan full = fp16_plan(1);
  full.precision = {};
  const test::Snapshot reference = first_gradients(full, kWeight);
  EXPECT_LT(worst(first_gradients(fp16_plan(1 << 24), kWeight), reference), 0.01);
  EXPECT_GT(worst(first_gradients(fp16_plan(1), kWeight), reference), 0.5);
}

TEST(Fp16, AnOverflowChangesNoWeightAndHalvesTheScaleAtTheSecond) {
  auto run = test::begin(fp16_plan(4294967296.0));
  const test::Snapshot before = test::snapshot(*run);
  const StepReport first = train_step(*run), second = train_step(*run);
  EXPECT_TRUE(first.skipped && second.skipped);
  EXPECT_TRUE(std::isfinite(first.loss));
  EXPECT_EQ(first.loss_scale, 4294967296.0);
  EXPECT_EQ(second.loss_scale, 2147483648.0);
  EXPECT_TRUE(test::equal(before, test::snapshot(*run)));
  EXPECT_EQ(run->counters.consumed_samples, 12);
  EXPECT_EQ(run->schedule_samples(), 0);  // the learning rate has not moved
  EXPECT_EQ(run->optimizer.steps(), 0);
  while (train_step(*run).skipped) ASSERT_LT(run->counters.iteration, 40);
  EXPECT_FALSE(test::equal(before, test::snapshot(*run)));
}

TEST(Fp16, AnOverflowThatNoScaleCanHealStopsTheRun) {
  Plan plan = fp16_plan(4294967296.0);
  plan.precision.loss_scale.minimum = 4294967296.0;
  auto run = test::begin(plan);
  EXPECT_THROW(train_step(*run), Error);
}

TEST(Fp16, AFixedScaleInFp32IsExact) {
  Plan plan = test::debug_plan();
  auto plain = test::begin(plan);
  plan.precision.loss_scale.initial = 1024;  // a power of two only moves exponents
  auto scaled = test::begin(plan);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(train_step(*plain).loss, train_step(*scaled).loss);
  EXPECT_TRUE(test::equal(test::snapshot(*plain), test::snapshot(*scaled)));
}

TEST(Fp16, ResumeContinuesTheScaleBitForBit) {
  // Doubles at step 4; the overflows that follow from 2^22 on are borne once, then halve.
  Plan plan = fp16_plan(4194304);
  plan.precision.loss_scale.window = 4;
  const auto train = [](const Plan& p) {
    const Mesh mesh = single_mesh();
    auto run = std::make_unique<TrainingRun>(p, mesh, std::make_unique<PretrainObjective>(p, mesh));
    train_loop(*run, {});
    return run;
  };
  const auto whole = train(plan);
  plan.checkpoint.save = plan.checkpoint.load = test::temporary_dir("fp16");
  plan.run.exit_interval = 7;
  const LossScale at_save = train(plan)->scaler.state();
  plan.run.exit_interval = 0;
  const auto parts = train(plan);
  EXPECT_NE(at_save.scale, plan.precision.loss_scale.initial) << "the scale did not move: nothing is tested";
  EXPECT_EQ(parts->scaler.scale(), whole->scaler.scale());
  EXPECT_EQ(parts->scaler.state().clean_steps, whole->scaler.state().clean_steps);
  EXPECT_EQ(parts->counters.skipped_steps, whole->counters.skipped_steps);
  EXPECT_TRUE(
      test::prove("qwen3", "resume.fp16", test::equal(test::snapshot(*parts), test::snapshot(*whole))));
}

}  // namespace
}  // namespace mindspeed
