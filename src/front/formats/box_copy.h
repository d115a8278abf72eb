// Copies boxes between row-major arrays: a shard out of a tensor, a packed piece into a tensor. Bytes only,
// no dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mindspeed {

// A row-major array in memory; elements are `element_size` bytes (given at the call).
struct ConstArray {
  std::span<const std::byte> bytes;
  std::span<const int64_t> shape;
};
struct MutableArray {
  std::span<std::byte> bytes;
  std::span<const int64_t> shape;
};

// Copies the box of `size` elements at `from_start` of `from` to `to_start` of `to`. All spans have one entry
// per dimension (none for scalars); a size of 0 copies nothing. Throws Error if a box leaves its array or the
// number of bytes is not shape x element_size.
void copy_box(ConstArray from, std::span<const int64_t> from_start, MutableArray to,
              std::span<const int64_t> to_start, std::span<const int64_t> size, size_t element_size);

// Reads a box into packed row-major bytes: `packed` holds product(size) * element_size bytes.
void box_to_packed(ConstArray from, std::span<const int64_t> start, std::span<const int64_t> size,
                   size_t element_size, std::span<std::byte> packed);

// Writes packed row-major bytes into a box.
void packed_to_box(std::span<const std::byte> packed, MutableArray to, std::span<const int64_t> start,
                   std::span<const int64_t> size, size_t element_size);

}  // namespace mindspeed
