#include "engine/optim/lr_schedule.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

struct Case {
  LrPlan plan;
  int64_t increment = 1;  // samples per step
  bool weight_decay = false;
};

Case case_from(const Json& j) {
  Case c;
  c.plan.style = j.at("lr_decay_style");
  c.plan.lr = j.at("max_lr");
  c.plan.min_lr = j.at("min_lr");
  c.plan.warmup_init = j.at("init_lr");
  c.plan.warmup_samples = j.at("lr_warmup_steps");
  c.plan.decay_samples = j.at("lr_decay_steps");
  c.plan.wsd_decay_samples = j.value("wsd_decay_steps", int64_t{0});
  c.plan.wsd_style = j.value("lr_wsd_decay_style", std::string("exponential"));
  c.plan.start_weight_decay = j.at("start_wd");
  c.plan.end_weight_decay = j.at("end_wd");
  c.plan.weight_decay_style = j.at("wd_incr_style");
  c.plan.weight_decay_samples = j.at("wd_incr_steps");
  c.increment = j.at("increment");
  c.weight_decay = j.at("column") == "weight_decay";
  return c;
}

TEST(LrSchedule, EveryKindEqualsMegatronsTableBitForBit) {
  const Json cases = read_json(test::golden_dir() + "/megatron/optim/lr_sched.json");
  const std::vector<std::string> lines =
      split(read_file(test::golden_dir() + "/megatron/optim/lr_sched.csv"), '\n');
  const std::vector<std::string> names = split(lines.at(0), ',');
  int compared = 0;
  for (size_t row = 1; row < lines.size() && !lines[row].empty(); ++row) {
    const std::vector<std::string> cells = split(lines[row], ',');
    const int64_t steps = std::stoll(cells.at(0));
    for (size_t column = 1; column < names.size(); ++column) {
      const Case c = case_from(cases.at(names[column]));
      const int64_t samples = steps * c.increment;
      const double ours =
          c.weight_decay ? weight_decay_at(c.plan, samples) : learning_rate_at(c.plan, samples);
      EXPECT_EQ(ours, std::stod(cells.at(column))) << names[column] << " after " << steps << " steps";
      ++compared;
    }
  }
  EXPECT_EQ(compared, 51 * 15);
}

TEST(LrSchedule, HalfwayOfACosineWithWarmupIsTheHandComputedRate) {
  // faults.md 17: cosine over 100, warm-up 10, peak 1e-3, floor 0, at step 50.
  LrPlan plan;
  plan.style = "cosine";
  plan.lr = 1e-3;
  plan.warmup_samples = 10;
  plan.decay_samples = 100;
  EXPECT_NEAR(learning_rate_at(plan, 50), 5.868e-4, 5e-8);
}

TEST(LrSchedule, AWarmupAsLongAsTheDecayIsRefused) {
  LrPlan plan;
  plan.lr = 1e-3;
  plan.warmup_samples = 100;
  plan.decay_samples = 100;
  EXPECT_THROW(check_lr_plan(plan), Error);
  plan.warmup_samples = 99;
  EXPECT_NO_THROW(check_lr_plan(plan));
}

TEST(LrSchedule, AnUnknownStyleIsRefused) {
  LrPlan plan;
  plan.decay_samples = 10;
  plan.style = "cosin";
  EXPECT_THROW(check_lr_plan(plan), Error);
}

}  // namespace
}  // namespace mindspeed
