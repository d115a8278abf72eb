// Carries out the moves of a name map on raw bytes, in both directions, on as few rows as asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "front/plan/name_map.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

// Rows of dimension 0 of `parameter` that `piece` fills. std::logic_error if it names no segment of it.
Segment segment_of(const ParameterSpec& parameter, const Piece& piece);

// Shape of the outside tensor of a piece.
std::vector<int64_t> outside_shape(const ParameterSpec& parameter, const Piece& piece);

// Reads a box of an outside tensor, packed row-major.
using ReadOutside = std::function<void(const Box& box, std::span<std::byte> out)>;

// Reads the box (coordinates of our parameter; its rows must lie within the piece's segment) from the outside
// tensor into packed `out`, in elements of `element` bytes. Only the rows (whole heads for interleaved_rope)
// that the box needs are read.
void read_through(const ParameterSpec& parameter, const Piece& piece, const Box& box, size_t element,
                  const ReadOutside& read, std::span<std::byte> out);

// The inverse on a whole tensor: `ours` are all elements of the parameter, `out` those of the outside tensor.
void write_through(const ParameterSpec& parameter, const Piece& piece, size_t element,
                   std::span<const std::byte> ours, std::span<std::byte> out);

}  // namespace mindspeed
