// What the reader and the builder of .idx files share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "front/base/dtype.h"

namespace mindspeed::idx {

inline constexpr std::string_view kMagic{"MMIDIDX\0\0", 9};
inline constexpr uint64_t kVersion = 1;
inline constexpr uint64_t kHeaderBytes = 34;

// dtype <-> code of the .idx; nothing for a type that has none.
std::optional<uint8_t> code_of(DType dtype);
std::optional<DType> dtype_of(uint8_t code);

// Byte offset of the sequence after one of `length` elements at `pointer`, or nothing beyond 2^63.
std::optional<uint64_t> next_pointer(uint64_t pointer, int32_t length, size_t element_size);

}  // namespace mindspeed::idx
