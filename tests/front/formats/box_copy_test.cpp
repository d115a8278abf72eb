#include "front/formats/box_copy.h"

#include <numeric>
#include <vector>

#include "front/formats/detail/extent.h"
#include "tests/front/formats/support.h"

namespace mindspeed {
namespace {

using Shape = std::vector<int64_t>;

TEST(BoxCopy, ABoxOfThreeDimensionsIsReadAndWrittenBack) {
  std::vector<int32_t> tensor(2 * 3 * 4);
  std::iota(tensor.begin(), tensor.end(), 0);
  const Shape shape{2, 3, 4}, start{0, 1, 2}, size{2, 2, 2};
  std::vector<int32_t> packed(8);
  box_to_packed({std::as_bytes(std::span(tensor)), shape}, start, size, 4,
                std::as_writable_bytes(std::span(packed)));
  EXPECT_EQ(packed, (std::vector<int32_t>{6, 7, 10, 11, 18, 19, 22, 23}));
  std::vector<int32_t> target(24, -1);
  packed_to_box(std::as_bytes(std::span(packed)), {std::as_writable_bytes(std::span(target)), shape}, start,
                size, 4);
  for (size_t i = 0; i < 24; ++i) {
    const bool inside = i % 4 >= 2 && (i / 4) % 3 >= 1;
    EXPECT_EQ(target[i], inside ? static_cast<int32_t>(i) : -1);
  }
}

TEST(BoxCopy, RowsMoveBetweenArraysOfDifferentHeight) {
  const std::vector<int16_t> from{1, 2, 3, 4, 5, 6};
  std::vector<int16_t> to(8, 0);
  copy_box({std::as_bytes(std::span(from)), Shape{3, 2}}, Shape{1, 0},
           {std::as_writable_bytes(std::span(to)), Shape{4, 2}}, Shape{2, 0}, Shape{2, 2}, 2);
  EXPECT_EQ(to, (std::vector<int16_t>{0, 0, 0, 0, 3, 4, 5, 6}));
}

TEST(BoxCopy, ScalarsAndEmptyBoxesAreCopied) {
  const double from = 3.5;
  double to = 0;
  copy_box({std::as_bytes(std::span(&from, 1)), {}}, {}, {std::as_writable_bytes(std::span(&to, 1)), {}}, {},
           {}, 8);
  EXPECT_EQ(to, 3.5);
  box_to_packed({std::as_bytes(std::span(&from, 1)), Shape{1}}, Shape{1}, Shape{0}, 8, {});
}

TEST(BoxCopy, ABoxOutsideTheTensorIsRefusedWithTheNumbers) {
  const std::vector<float> from(6);
  std::vector<float> to(6);
  const auto read = [&](Shape start, Shape size) {
    return test::error_of([&] {
      box_to_packed({std::as_bytes(std::span(from)), Shape{3, 2}}, start, size, 4,
                    std::as_writable_bytes(std::span(to)));
    });
  };
  EXPECT_EQ(read({2, 0}, {2, 2}), "[copy_box] start [2, 0] size [2, 2] leaves a tensor of shape [3, 2]");
  EXPECT_TRUE(test::contains(read({-1, 0}, {1, 2}), "leaves"));
  EXPECT_TRUE(test::contains(read({INT64_MAX, 0}, {INT64_MAX, 2}), "leaves"));
  EXPECT_TRUE(test::contains(read({0, 0}, {1, 2}), "24 bytes do not hold a tensor of shape [1, 2]"));
}

TEST(Extent, ProductsBeyond63BitsAreNothing) {
  EXPECT_EQ(byte_count(Shape{600'000'000, 2}, 4), 4'800'000'000u);
  EXPECT_EQ(byte_count(Shape{INT64_MAX, 0}, 8), 0u);
  EXPECT_EQ(byte_count(Shape{int64_t{1} << 40, int64_t{1} << 40}, 1), std::nullopt);
  EXPECT_EQ(byte_count(Shape{-1}, 1), std::nullopt);
  EXPECT_EQ(checked_add(static_cast<uint64_t>(INT64_MAX), 1), std::nullopt);
}

}  // namespace
}  // namespace mindspeed
