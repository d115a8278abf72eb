#include "front/formats/box_copy.h"

#include <cstring>
#include <vector>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"

namespace mindspeed {
namespace {

void check(std::span<const int64_t> shape, size_t bytes, std::span<const int64_t> start,
           std::span<const int64_t> size, size_t element_size) {
  bool inside = start.size() == shape.size() && size.size() == shape.size();
  for (size_t d = 0; inside && d < shape.size(); ++d)
    inside = start[d] >= 0 && size[d] >= 0 && start[d] <= shape[d] && size[d] <= shape[d] - start[d];
  if (!inside)
    fail("copy_box", "start {} size {} leaves a tensor of shape {}", format_shape(start), format_shape(size),
         format_shape(shape));
  const auto needed = byte_count(shape, element_size);
  if (!needed || *needed != bytes)
    fail("copy_box", "{} bytes do not hold a tensor of shape {} with {} bytes per element", bytes,
         format_shape(shape), element_size);
}

// Bytes between neighbours along each dimension.
std::vector<size_t> strides(std::span<const int64_t> shape, size_t element_size) {
  std::vector<size_t> result(shape.size());
  size_t step = element_size;
  for (size_t d = shape.size(); d-- > 0;) {
    result[d] = step;
    step *= static_cast<size_t>(shape[d]);
  }
  return result;
}

// Trailing dimensions that both arrays hold whole form one contiguous run; returns the first dimension of it.
size_t first_of_run(std::span<const int64_t> a, std::span<const int64_t> b, std::span<const int64_t> size) {
  size_t d = size.size();
  while (d > 0) {
    --d;
    if (size[d] != a[d] || size[d] != b[d]) break;
  }
  return d;
}

}  // namespace

void copy_box(ConstArray from, std::span<const int64_t> from_start, MutableArray to,
              std::span<const int64_t> to_start, std::span<const int64_t> size, size_t element_size) {
  check(from.shape, from.bytes.size(), from_start, size, element_size);
  check(to.shape, to.bytes.size(), to_start, size, element_size);
  for (const int64_t n : size)
    if (n == 0) return;
  if (size.empty()) {
    std::memcpy(to.bytes.data(), from.bytes.data(), element_size);
    return;
  }
  const auto from_strides = strides(from.shape, element_size);
  const auto to_strides = strides(to.shape, element_size);
  const size_t run_dim = first_of_run(from.shape, to.shape, size);
  const size_t run = static_cast<size_t>(size[run_dim]) * from_strides[run_dim];
  const std::byte* source = from.bytes.data();
  std::byte* target = to.bytes.data();
  for (size_t d = 0; d < size.size(); ++d) {
    source += static_cast<size_t>(from_start[d]) * from_strides[d];
    target += static_cast<size_t>(to_start[d]) * to_strides[d];
  }
  std::vector<int64_t> index(run_dim, 0);  // an odometer over the outer dimensions
  while (true) {
    std::memcpy(target, source, run);
    size_t d = run_dim;
    while (d > 0) {
      --d;
      source += from_strides[d];
      target += to_strides[d];
      if (++index[d] < size[d]) break;
      source -= static_cast<size_t>(size[d]) * from_strides[d];
      target -= static_cast<size_t>(size[d]) * to_strides[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (run_dim == 0) return;
  }
}

void box_to_packed(ConstArray from, std::span<const int64_t> start, std::span<const int64_t> size,
                   size_t element_size, std::span<std::byte> packed) {
  const std::vector<int64_t> origin(size.size(), 0);
  copy_box(from, start, {packed, size}, origin, size, element_size);
}

void packed_to_box(std::span<const std::byte> packed, MutableArray to, std::span<const int64_t> start,
                   std::span<const int64_t> size, size_t element_size) {
  const std::vector<int64_t> origin(size.size(), 0);
  copy_box({packed, size}, origin, to, start, size, element_size);
}

}  // namespace mindspeed
