#include "front/formats/checkpoint/region.h"

#include <algorithm>
#include <stdexcept>

#include "front/formats/box_copy.h"

namespace mindspeed {
namespace {

int64_t product(std::span<const int64_t> values) {
  int64_t result = 1;
  for (int64_t value : values) result *= value;
  return result;
}

// Cuts the range [begin, end) of the dimensions from `dim` on; `outer` holds the fixed rows of earlier
// dimensions.
void cut(const Region& region, size_t dim, std::vector<int64_t> outer, int64_t begin, int64_t end,
         int64_t offset, std::vector<RegionBox>& boxes) {
  if (begin >= end) return;
  const int64_t inner = product(std::span(region.size).subspan(dim + 1));
  int64_t first = begin / inner;
  const int64_t last = end / inner;
  const auto part_of_row = [&](int64_t row, int64_t from, int64_t to, int64_t at) {
    std::vector<int64_t> fixed = outer;
    fixed.push_back(region.start[dim] + row);
    cut(region, dim + 1, std::move(fixed), from, to, at, boxes);
  };
  if (begin % inner != 0) {
    const int64_t stop = std::min(end, (first + 1) * inner);
    part_of_row(first, begin % inner, stop - first * inner, offset);
    offset += stop - begin;
    begin = stop;
    ++first;
  }
  if (first < last) {
    RegionBox box{outer, std::vector<int64_t>(outer.size(), 1), offset};
    box.start.push_back(region.start[dim] + first);
    box.size.push_back(last - first);
    for (size_t d = dim + 1; d < region.size.size(); ++d) {
      box.start.push_back(region.start[d]);
      box.size.push_back(region.size[d]);
    }
    boxes.push_back(std::move(box));
    offset += (last - first) * inner;
    begin = last * inner;
  }
  if (begin < end) part_of_row(last, 0, end - last * inner, offset);
}

// The box common to a and b, or false.
bool intersect(const RegionBox& a, const RegionBox& b, std::vector<int64_t>& start,
               std::vector<int64_t>& size) {
  start.clear();
  size.clear();
  for (size_t d = 0; d < a.start.size(); ++d) {
    const int64_t low = std::max(a.start[d], b.start[d]);
    const int64_t high = std::min(a.start[d] + a.size[d], b.start[d] + b.size[d]);
    if (low >= high) return false;
    start.push_back(low);
    size.push_back(high - low);
  }
  return true;
}

std::vector<int64_t> minus(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> result(a.size());
  for (size_t d = 0; d < a.size(); ++d) result[d] = a[d] - b[d];
  return result;
}

}  // namespace

Region whole_region(std::vector<int64_t> start, std::vector<int64_t> size) {
  const int64_t n = product(size);
  return {std::move(start), std::move(size), 0, n};
}

std::vector<RegionBox> boxes_of(const Region& region) {
  if (region.begin < 0 || region.begin > region.end || region.end > product(region.size) ||
      region.start.size() != region.size.size())
    throw std::logic_error("checkpoint region: the range leaves its box");
  std::vector<RegionBox> boxes;
  if (region.size.empty() && region.elements() == 1)
    boxes.push_back({{}, {}, 0});
  else if (!region.size.empty())
    cut(region, 0, {}, region.begin, region.end, 0, boxes);
  return boxes;
}

int64_t shared_elements(const Region& a, const Region& b) {
  int64_t shared = 0;
  std::vector<int64_t> start, size;
  const std::vector<RegionBox> of_b = boxes_of(b);
  for (const RegionBox& x : boxes_of(a))
    for (const RegionBox& y : of_b)
      if (intersect(x, y, start, size)) shared += product(size);
  return shared;
}

int64_t copy_shared(const Region& from_region, std::span<const std::byte> from, const Region& to_region,
                    std::span<std::byte> to, size_t element_size) {
  int64_t copied = 0;
  std::vector<int64_t> start, size;
  const std::vector<RegionBox> targets = boxes_of(to_region);
  for (const RegionBox& source : boxes_of(from_region)) {
    for (const RegionBox& target : targets) {
      if (!intersect(source, target, start, size)) continue;
      const auto bytes = [&](int64_t elements) { return static_cast<size_t>(elements) * element_size; };
      copy_box({from.subspan(bytes(source.offset), bytes(product(source.size))), source.size},
               minus(start, source.start),
               {to.subspan(bytes(target.offset), bytes(product(target.size))), target.size},
               minus(start, target.start), size, element_size);
      copied += product(size);
    }
  }
  return copied;
}

}  // namespace mindspeed
