// main() of every test program: runs gtest and fails when fewer cases ran than the suite has on record.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const auto* unit = testing::UnitTest::GetInstance();
  const char* minimum = std::getenv("MINDSPEED_MIN_CASES");
  const int ran = unit->test_to_run_count() - unit->skipped_test_count();
  if (minimum != nullptr && *minimum != '\0' && ran < std::atoi(minimum)) {
    std::fprintf(stderr, "only %d cases ran; this suite has %s on record\n", ran, minimum);
    return 1;
  }
  return result;
}
