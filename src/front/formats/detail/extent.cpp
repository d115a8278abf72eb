#include "front/formats/detail/extent.h"

namespace mindspeed {
namespace {

constexpr uint64_t kLargest = static_cast<uint64_t>(INT64_MAX);

}  // namespace

std::optional<uint64_t> checked_add(uint64_t a, uint64_t b) {
  if (a > kLargest || b > kLargest - a) return std::nullopt;
  return a + b;
}

std::optional<uint64_t> checked_multiply(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return 0;
  if (a > kLargest / b) return std::nullopt;
  return a * b;
}

std::optional<uint64_t> byte_count(std::span<const int64_t> shape, uint64_t element_size) {
  std::optional<uint64_t> total = element_size;
  bool empty = false;
  for (const int64_t n : shape) {
    if (n < 0) return std::nullopt;
    empty = empty || n == 0;
    if (total) total = checked_multiply(*total, static_cast<uint64_t>(n));
  }
  return empty ? 0 : total;
}

}  // namespace mindspeed
