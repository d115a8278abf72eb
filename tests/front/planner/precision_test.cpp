// --bf16, --fp16 and the loss scale become the precision of the plan.
#include "tests/front/planner/planning.h"

namespace mindspeed {
namespace {

using test::expect_contains;
using test::plan_line;
using test::refusal_line;

PrecisionPlan precision_of(const std::string& flags) {
  return plan_line("--preset debug " + flags).plan.precision;
}

TEST(Precision, Fp16HasMegatronsDynamicScale) {
  const PrecisionPlan plan = precision_of("--fp16");
  EXPECT_EQ(plan.parameters, DType::f16);
  EXPECT_TRUE(plan.loss_scale.dynamic);
  EXPECT_EQ(plan.loss_scale.initial, 4294967296.0);
  EXPECT_EQ(plan.loss_scale.minimum, 1.0);
  EXPECT_EQ(plan.loss_scale.window, 1000);
  EXPECT_EQ(plan.loss_scale.hysteresis, 2);
  const PrecisionPlan given = precision_of(
      "--fp16 --initial-loss-scale 4096 --min-loss-scale 16 --loss-scale-window 200 --hysteresis 4");
  EXPECT_EQ(given.loss_scale.initial, 4096.0);
  EXPECT_EQ(given.loss_scale.minimum, 16.0);
  EXPECT_EQ(given.loss_scale.window, 200);
  EXPECT_EQ(given.loss_scale.hysteresis, 4);
}

TEST(Precision, OnlyFp16ScalesByItself) {
  for (const char* flags : {"", "--bf16", "--bf16 --initial-loss-scale 4096"}) {
    const LossScalePlan scale = precision_of(flags).loss_scale;
    EXPECT_FALSE(scale.dynamic) << flags;
    EXPECT_EQ(scale.initial, 1.0) << flags;
  }
  for (const char* flags : {"--fp16 --loss-scale 128", "--bf16 --loss-scale 128"}) {
    const LossScalePlan scale = precision_of(flags).loss_scale;
    EXPECT_FALSE(scale.dynamic) << flags;
    EXPECT_EQ(scale.initial, 128.0) << flags;
  }
}

TEST(Precision, ContradictionsAreRefused) {
  expect_contains(refusal_line("--preset debug --fp16 --bf16"), "[--fp16] it came with --bf16");
  expect_contains(refusal_line("--preset debug --fp16 --initial-loss-scale 8 --min-loss-scale 16"),
                  "[--min-loss-scale] 16 came with --initial-loss-scale 8");
  for (const char* bad :
       {"--loss-scale 0", "--initial-loss-scale -1", "--loss-scale-window 0", "--hysteresis 0"})
    EXPECT_FALSE(refusal_line(std::string("--preset debug --fp16 ") + bad).empty()) << bad;
}

}  // namespace
}  // namespace mindspeed
