#include "front/plan/batch_schedule.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace mindspeed {
namespace {

// 2 to 8 in steps of 2 over 12 samples: three increments, one per 4 samples.
BatchPlan growing() {
  return {.micro = 1,
          .global = 8,
          .sequence = 4,
          .micro_batches = 4,
          .rampup = {.start = 2, .increment = 2, .samples = 12}};
}

TEST(BatchSchedule, GrowsByMegatronsRule) {
  const std::vector<std::pair<int64_t, int64_t>> by_hand = {{0, 2}, {2, 2},  {3, 2},  {4, 4},  {7, 4},
                                                            {8, 6}, {11, 6}, {12, 8}, {13, 8}, {1000, 8}};
  for (const auto& [consumed, batch] : by_hand) {
    EXPECT_EQ(global_batch_at(growing(), consumed), batch) << consumed;
    EXPECT_EQ(micro_batches_at(growing(), consumed), batch / 2) << consumed;
  }
}

TEST(BatchSchedule, CountsTheStepsOfARun) {
  // 2, 2, 4, 6 consume 14 samples, more than the ramp's 12; then whole batches of 8.
  EXPECT_EQ(steps_for(growing(), 30), 6);
  EXPECT_EQ(steps_for(growing(), 29), 5);  // 15 are left: one whole batch
  EXPECT_EQ(steps_for(growing(), 14), 4);
  BatchPlan constant = growing();
  constant.rampup = {};
  EXPECT_EQ(steps_for(constant, 30), 3);
  EXPECT_EQ(global_batch_at(constant, 0), 8);
}

TEST(BatchSchedule, AnIncrementThatIsNoWholeNumberOfSamplesFallsWhereItsFractionDoes) {
  BatchPlan batch = growing();
  batch.rampup.samples = 10;  // an increment per 3.33 samples
  EXPECT_EQ(global_batch_at(batch, 3), 2);
  EXPECT_EQ(global_batch_at(batch, 4), 4);
  EXPECT_EQ(global_batch_at(batch, 6), 4);
  EXPECT_EQ(global_batch_at(batch, 7), 6);
  EXPECT_EQ(global_batch_at(batch, 10), 8);
}

}  // namespace
}  // namespace mindspeed
