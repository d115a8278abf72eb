// Which elements of a logical tensor a checkpoint piece holds: a row-major range of a box. A shard of a
// tensor is a box; a data-parallel share of a shard is a range in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mindspeed {

struct Region {
  std::vector<int64_t> start, size;  // the box
  int64_t begin = 0, end = 0;        // elements of the box in row-major order
  int64_t elements() const { return end - begin; }
};

// The region that is a whole box.
Region whole_region(std::vector<int64_t> start, std::vector<int64_t> size);

// A box that is part of a region and contiguous in its packed elements.
struct RegionBox {
  std::vector<int64_t> start, size;  // in the logical tensor
  int64_t offset = 0;                // elements from the start of the packed region
};

// Cuts a region into at most 2 * dimensions - 1 boxes, in order. Throws std::logic_error if the range leaves
// the box.
std::vector<RegionBox> boxes_of(const Region& region);

// Number of elements that two regions share.
int64_t shared_elements(const Region& a, const Region& b);

// Copies the shared elements from packed `from` to packed `to`, elements of one size. Returns their number.
int64_t copy_shared(const Region& from_region, std::span<const std::byte> from, const Region& to_region,
                    std::span<std::byte> to, size_t element_size);

}  // namespace mindspeed
