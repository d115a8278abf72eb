#include "front/schedule/schedule.h"

#include <gtest/gtest.h>

namespace mindspeed {
namespace {

using Schedules = std::vector<std::vector<Action>>;

Schedules all_stages(int stages, int64_t micro_batches) {
  Schedules result;
  for (int stage = 0; stage < stages; ++stage) result.push_back(one_f_one_b(stage, stages, micro_batches));
  return result;
}

std::string computation(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) {
    if (action.kind == ActionKind::forward) text += "F" + std::to_string(action.micro_batch) + " ";
    if (action.kind == ActionKind::backward) text += "B" + std::to_string(action.micro_batch) + " ";
  }
  return text;
}

TEST(OneFOneB, HasTheOrderOfTheFigureInThePaper) {
  // Narayanan et al. 2021, figure 4 (PipeDream-Flush), 4 stages: devices 1 and 4 with 8 micro-batches.
  EXPECT_EQ(computation(one_f_one_b(0, 4, 8)), "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7 ");
  EXPECT_EQ(computation(one_f_one_b(3, 4, 8)), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7 ");
}

TEST(OneFOneB, IsCorrectForEveryNumberOfStagesAndMicroBatches) {
  for (int stages = 1; stages <= 8; ++stages)
    for (int64_t count : {1, 2, 3, 7, 8, 20}) {
      const ScheduleReport report = check_schedule(all_stages(stages, count), count);
      EXPECT_FALSE(report.fault) << stages << " stages, " << count << ": " << *report.fault;
      for (int stage = 0; stage < stages; ++stage)
        EXPECT_EQ(report.peak_in_flight[stage], std::min<int64_t>(stages - stage, count));
    }
}

TEST(OneFOneB, OfOneStageIsForwardThenBackwardWithoutTransfers) {
  const std::vector<Action> expected{{ActionKind::forward, 0, 0},
                                     {ActionKind::backward, 0, 0},
                                     {ActionKind::forward, 0, 1},
                                     {ActionKind::backward, 0, 1}};
  EXPECT_EQ(one_f_one_b(0, 1, 2), expected);
}

TEST(ForwardOnly, PassesEveryMicroBatchDownOnce) {
  for (int stages : {1, 2, 5}) {
    Schedules schedules;
    for (int stage = 0; stage < stages; ++stage) schedules.push_back(forward_only(stage, stages, 6));
    EXPECT_FALSE(check_schedule(schedules, 6).fault);
  }
}

TEST(CheckSchedule, FindsADeadlock) {
  Schedules schedules = all_stages(2, 2);
  // Stage 0 waits for the gradient of micro-batch 0 before it sends its activations.
  schedules[0] = {{ActionKind::forward, 0, 0},
                  {ActionKind::receive_backward, 0, 0},
                  {ActionKind::send_forward, 0, 0},
                  {ActionKind::backward, 0, 0}};
  const ScheduleReport report = check_schedule(schedules, 2);
  ASSERT_TRUE(report.fault);
  EXPECT_NE(report.fault->find("stage 0: receive_backward(chunk 0, micro-batch 0): deadlock"),
            std::string::npos)
      << *report.fault;
}

TEST(CheckSchedule, FindsAMissingAndADoubledMicroBatch) {
  Schedules missing = all_stages(1, 3);
  missing[0].resize(4);
  EXPECT_NE(check_schedule(missing, 3).fault->find("2 forwards and 2 backwards of 3"), std::string::npos);
  Schedules doubled = all_stages(1, 2);
  doubled[0].push_back({ActionKind::forward, 0, 1});
  EXPECT_NE(check_schedule(doubled, 2).fault->find("runs twice"), std::string::npos);
}

TEST(CheckSchedule, FindsUnusedInputsAndMessagesOutOfOrder) {
  Schedules early = all_stages(2, 1);
  early[1].erase(early[1].begin());  // forward without its receive
  EXPECT_NE(check_schedule(early, 1).fault->find("its input was not received"), std::string::npos);
  Schedules crossed{forward_only(0, 2, 2), {{ActionKind::receive_forward, 0, 1}}};
  EXPECT_NE(check_schedule(crossed, 2).fault->find("micro-batch 0 arrives first"), std::string::npos);
}

}  // namespace
}  // namespace mindspeed
