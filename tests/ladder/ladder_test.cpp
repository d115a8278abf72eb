// Every layout follows one rank: loss and gradient norm of five SGD steps, every gradient of the first, every
// weight after the last, within 1e-5 of the largest element; untied and tied.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/ladder/ladder.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

constexpr double kTolerance = 1e-5;

class Ladder : public testing::TestWithParam<Layout> {};

TEST_P(Ladder, FollowsOneRank) {
  bool all = true;
  for (const char* preset : {"qwen3:debug", "qwen3:debug-tied"}) {
    const Comparison c = climb(preset, GetParam());
    RecordProperty(preset,
                   fmt::format("loss {:.1e}, gradients {:.1e} ({}), weights {:.1e} ({})", c.loss,
                               c.gradients.error, c.gradients.tensor, c.weights.error, c.weights.tensor));
    EXPECT_LE(c.loss, kTolerance) << preset;
    EXPECT_LE(c.gradients.error, kTolerance) << preset << ": gradient of " << c.gradients.tensor;
    EXPECT_LE(c.weights.error, kTolerance) << preset << ": weight " << c.weights.tensor;
    for (const std::string& fault : c.faults) ADD_FAILURE() << preset << ": " << fault;
    all = all && c.within(kTolerance) && !HasFailure();
  }
  EXPECT_TRUE(prove("qwen3", "ladder." + GetParam().name, all));
}

std::string gtest_name(const testing::TestParamInfo<Layout>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (c == '+' || c == '.') c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Layouts, Ladder, testing::ValuesIn(layouts()), gtest_name);

}  // namespace
}  // namespace mindspeed::test
