#include "front/formats/indexed/idx_layout.h"

#include <algorithm>
#include <array>

#include "front/formats/detail/extent.h"

namespace mindspeed::idx {
namespace {

// Codes 1 to 8 in order.
constexpr std::array kTypes{DType::u8,  DType::i8,  DType::i16, DType::i32,
                            DType::i64, DType::f64, DType::f32, DType::u16};

}  // namespace

std::optional<uint8_t> code_of(DType dtype) {
  const auto found = std::find(kTypes.begin(), kTypes.end(), dtype);
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<uint8_t>(found - kTypes.begin() + 1);
}

std::optional<DType> dtype_of(uint8_t code) {
  if (code < 1 || code > kTypes.size()) return std::nullopt;
  return kTypes[code - 1];
}

std::optional<uint64_t> next_pointer(uint64_t pointer, int32_t length, size_t element_size) {
  if (length < 0) return std::nullopt;
  const auto bytes = checked_multiply(static_cast<uint64_t>(length), element_size);
  return bytes ? checked_add(pointer, *bytes) : std::nullopt;
}

}  // namespace mindspeed::idx
