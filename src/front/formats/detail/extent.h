// Checked sizes of arrays described by files, where every number may be a lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace mindspeed {

// product(shape) * element_size, or nothing if a dimension is negative or the product leaves 64 bits
// (signed).
std::optional<uint64_t> byte_count(std::span<const int64_t> shape, uint64_t element_size);

// a + b and a * b, or nothing on overflow of 64 bits (signed range, so that results fit file offsets).
std::optional<uint64_t> checked_add(uint64_t a, uint64_t b);
std::optional<uint64_t> checked_multiply(uint64_t a, uint64_t b);

}  // namespace mindspeed
