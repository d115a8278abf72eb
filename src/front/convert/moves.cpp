#include "front/convert/moves.h"

#include <cstring>
#include <stdexcept>

#include "front/base/error.h"

namespace mindspeed {
namespace {

// Elements of one row (all dimensions but the first).
int64_t row_elements(const std::vector<int64_t>& shape) {
  int64_t n = 1;
  for (size_t i = 1; i < shape.size(); ++i) n *= shape[i];
  return n;
}

// Our row -> outside row: within a head, row i + j * d/2 of ours is row 2i + j outside.
int64_t interleaved_row(int64_t row, int64_t head_dim) {
  const int64_t head = row / head_dim, at = row % head_dim, half = head_dim / 2;
  return head * head_dim + (at < half ? 2 * at : 2 * (at - half) + 1);
}

// out[c, r] = in[r, c]
void transpose_bytes(std::span<const std::byte> in, int64_t rows, int64_t columns, size_t element,
                     std::span<std::byte> out) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      std::memcpy(&out[static_cast<size_t>(c * rows + r) * element],
                  &in[static_cast<size_t>(r * columns + c) * element], element);
}

void read_interleaved(const Piece& piece, const Box& box, size_t element, const ReadOutside& read,
                      std::span<std::byte> out) {
  const int64_t d = piece.head_dim;
  const int64_t first = box.start[0] / d * d;  // whole heads
  const int64_t end = (box.start[0] + box.size[0] + d - 1) / d * d;
  Box heads = box;
  heads.start[0] = first;
  heads.size[0] = end - first;
  const size_t row = static_cast<size_t>(row_elements(box.size)) * element;
  std::vector<std::byte> rows(static_cast<size_t>(heads.size[0]) * row);
  read(heads, rows);
  for (int64_t r = 0; r < box.size[0]; ++r) {
    const int64_t from = interleaved_row(box.start[0] + r, d) - first;
    std::memcpy(&out[static_cast<size_t>(r) * row], &rows[static_cast<size_t>(from) * row], row);
  }
}

void check_matrix(const ParameterSpec& parameter) {
  if (parameter.shape.size() != 2)
    throw std::logic_error("name map: transpose of " + parameter.name + ", which is no matrix");
}

}  // namespace

Segment segment_of(const ParameterSpec& parameter, const Piece& piece) {
  if (piece.segment.empty()) return {"", 0, parameter.shape[0]};
  for (const Segment& segment : parameter.segments)
    if (segment.name == piece.segment) return segment;
  throw std::logic_error(fmt::format("name map: {} has no segment \"{}\"", parameter.name, piece.segment));
}

std::vector<int64_t> outside_shape(const ParameterSpec& parameter, const Piece& piece) {
  std::vector<int64_t> shape = parameter.shape;
  shape[0] = segment_of(parameter, piece).size;
  if (piece.move == Move::transpose) {
    check_matrix(parameter);
    std::swap(shape[0], shape[1]);
  }
  return shape;
}

void read_through(const ParameterSpec& parameter, const Piece& piece, const Box& box, size_t element,
                  const ReadOutside& read, std::span<std::byte> out) {
  Box inner = box;
  inner.start[0] -= segment_of(parameter, piece).offset;
  if (piece.move == Move::copy) return read(inner, out);
  if (piece.move == Move::interleaved_rope) return read_interleaved(piece, inner, element, read, out);
  check_matrix(parameter);
  const Box turned{{inner.start[1], inner.start[0]}, {inner.size[1], inner.size[0]}};
  std::vector<std::byte> bytes(out.size());
  read(turned, bytes);
  transpose_bytes(bytes, turned.size[0], turned.size[1], element, out);
}

void write_through(const ParameterSpec& parameter, const Piece& piece, size_t element,
                   std::span<const std::byte> ours, std::span<std::byte> out) {
  const Segment segment = segment_of(parameter, piece);
  const size_t row = static_cast<size_t>(row_elements(parameter.shape)) * element;
  const auto rows =
      ours.subspan(static_cast<size_t>(segment.offset) * row, static_cast<size_t>(segment.size) * row);
  if (out.size() != rows.size()) throw std::logic_error("write_through: size of " + piece.outside);
  switch (piece.move) {
    case Move::copy:
      std::memcpy(out.data(), rows.data(), rows.size());
      return;
    case Move::transpose:
      check_matrix(parameter);
      transpose_bytes(rows, segment.size, parameter.shape[1], element, out);
      return;
    case Move::interleaved_rope:
      for (int64_t r = 0; r < segment.size; ++r)
        std::memcpy(&out[static_cast<size_t>(interleaved_row(r, piece.head_dim)) * row],
                    &rows[static_cast<size_t>(r) * row], row);
      return;
  }
}

}  // namespace mindspeed
