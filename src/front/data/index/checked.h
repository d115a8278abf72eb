// 64-bit arithmetic that cannot wrap silently: token counts, byte offsets and sample counts go through it.
#pragma once

#include <cstdint>

#include "front/base/error.h"

namespace mindspeed {

// a + b and a * b. Throw Error naming `what` when the result leaves 64 bits.
inline int64_t checked_add(int64_t a, int64_t b, std::string_view what) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) fail("count", "{}: {} + {} leaves 64 bits", what, a, b);
  return result;
}
inline int64_t checked_mul(int64_t a, int64_t b, std::string_view what) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) fail("count", "{}: {} * {} leaves 64 bits", what, a, b);
  return result;
}

// `value` as 32 bits. Throws Error naming `what` when it does not fit.
inline int32_t checked_int32(int64_t value, std::string_view what) {
  if (value < INT32_MIN || value > INT32_MAX) fail("count", "{}: {} does not fit in 32 bits", what, value);
  return static_cast<int32_t>(value);
}

}  // namespace mindspeed
