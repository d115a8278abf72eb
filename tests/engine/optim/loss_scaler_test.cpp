#include "engine/optim/loss_scaler.h"

#include <gtest/gtest.h>

namespace mindspeed {
namespace {

LossScalePlan dynamic_plan() {
  return {.dynamic = true, .initial = 1024, .minimum = 256, .window = 3, .hysteresis = 2};
}

// The rule of Megatron's DynamicGradScaler followed by hand: f = finite step, o = overflow.
TEST(LossScaler, FollowsMegatronsRuleStepByStep) {
  LossScaler scaler(dynamic_plan());
  const std::string steps = "offooffffoff";
  //  o bears one; ff; o halves (hysteresis spent); o halves again (it is not given back before a doubling);
  //  fff doubles and gives the hysteresis back; f; o bears one; ff.
  const double scales[] = {1024, 1024, 1024, 512, 256, 256, 256, 512, 512, 512, 512, 512};
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == 'o')
      EXPECT_TRUE(scaler.overflow()) << i;
    else
      scaler.finite_step();
    EXPECT_EQ(scaler.scale(), scales[i]) << "after step " << i;
  }
  EXPECT_EQ(scaler.state().clean_steps, 2);
  EXPECT_EQ(scaler.state().hysteresis, 1);
}

TEST(LossScaler, AnOverflowAtTheMinimumIsNotItsFault) {
  LossScalePlan plan = dynamic_plan();
  plan.initial = 300;
  plan.hysteresis = 1;
  LossScaler scaler(plan);
  EXPECT_TRUE(scaler.overflow());
  EXPECT_EQ(scaler.scale(), 256);  // not 150
  EXPECT_FALSE(scaler.overflow());
  EXPECT_EQ(scaler.scale(), 256);
}

TEST(LossScaler, AFixedScaleNeverMoves) {
  LossScaler scaler({.dynamic = false, .initial = 128});
  for (int i = 0; i < 5000; ++i) scaler.finite_step();
  EXPECT_FALSE(scaler.overflow());
  EXPECT_EQ(scaler.scale(), 128);
}

TEST(LossScaler, ItsStateIsAllThereIs) {
  LossScaler first(dynamic_plan()), second(dynamic_plan());
  first.overflow();
  first.finite_step();
  second.set_state(first.state());
  for (LossScaler* s : {&first, &second}) {
    s->overflow();
    s->finite_step();
    s->finite_step();
  }
  EXPECT_EQ(first.scale(), 512);
  EXPECT_EQ(second.scale(), 512);
  EXPECT_EQ(second.state().clean_steps, first.state().clean_steps);
}

}  // namespace
}  // namespace mindspeed
