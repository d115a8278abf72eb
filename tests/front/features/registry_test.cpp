// The registry and the field table agree. The rules of each feature are tested with the planner.
#include "front/features/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "front/features/divide.h"

namespace mindspeed {
namespace {

TEST(Features, EveryFieldOfAFeatureIsAnImplementedRowOfOneFeatureOnly) {
  const FieldTable table(kPretrain);
  std::set<std::string_view> seen;
  for (const Feature& feature : features())
    for (const std::string_view name : feature.fields) {
      ASSERT_NE(table.find(name), nullptr) << name;
      EXPECT_EQ(table.find(name)->disposition, Disposition::implemented) << name;
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
}

TEST(Features, DataParallelTakesTheRanksThatTensorAndPipelineLeave) {
  std::vector<std::string_view> order;
  for (const Feature& feature : features()) order.push_back(feature.name);
  EXPECT_EQ(order,
            (std::vector<std::string_view>{"bf16", "fp16", "tensor_parallel", "sequence_parallel",
                                           "pipeline_parallel", "data_parallel", "batch_rampup",
                                           "distributed_optimizer", "recompute", "document_boundaries"}));
  EXPECT_NE(features_text().find("tensor_parallel        ready"), std::string::npos);
}

TEST(Divisors, AreListedRising) {
  EXPECT_EQ(feature::divisor_list(28), "1, 2, 4, 7, 14, 28");
  EXPECT_EQ(feature::divisor_list(36), "1, 2, 3, 4, 6, 9, 12, 18, 36");
  EXPECT_EQ(feature::divisor_list(1), "1");
}

}  // namespace
}  // namespace mindspeed
