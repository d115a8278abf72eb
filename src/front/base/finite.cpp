// Search for NaN and infinity on raw elements: the exponent bits are all ones.
#include <algorithm>
#include <cstring>

#include "front/base/dtype.h"

namespace mindspeed {
namespace {

template <class Bits>
std::optional<size_t> search(std::span<const std::byte> bytes, Bits exponent) {
  constexpr size_t kBlock = 4096;  // elements; the inner loop has no exit and is vectorised
  const size_t count = bytes.size() / sizeof(Bits);
  const auto bits = [&](size_t i) {
    Bits value;
    std::memcpy(&value, &bytes[i * sizeof(Bits)], sizeof(Bits));
    return value;
  };
  for (size_t start = 0; start < count; start += kBlock) {
    const size_t end = std::min(count, start + kBlock);
    bool found = false;
    for (size_t i = start; i < end; ++i) found |= (bits(i) & exponent) == exponent;
    for (size_t i = start; found && i < end; ++i)
      if ((bits(i) & exponent) == exponent) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<size_t> first_non_finite(std::span<const std::byte> bytes, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return search<uint64_t>(bytes, 0x7ff0000000000000u);
    case DType::f32:
      return search<uint32_t>(bytes, 0x7f800000u);
    case DType::f16:
      return search<uint16_t>(bytes, 0x7c00u);
    case DType::bf16:
      return search<uint16_t>(bytes, 0x7f80u);
    default:
      return std::nullopt;
  }
}

}  // namespace mindspeed
