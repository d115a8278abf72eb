// Memory of host tensors, kept for reuse between steps.
#pragma once

#include <cstddef>

#include <c10/core/Allocator.h>

namespace mindspeed::device {

struct HostMemory {
  size_t live = 0;       // bytes in blocks that tensors hold
  size_t cached = 0;     // bytes in free blocks
  size_t peak_live = 0;  // largest `live` so far
};

// An allocator of large blocks (64 KiB and more) in size classes an eighth of a power of two apart, each with
// a list of free blocks; smaller requests go to malloc. The activations of one step are served from those of
// the step before: no page faults, and, unlike in one heap, no holes between tensors of different lives.
// Before new memory is mapped, the free blocks that have waited longest are unmapped if live and free blocks
// together would exceed 1.08 times the largest live size so far. Thread-safe. Throws std::bad_alloc when the
// system has no memory.
c10::Allocator& host_allocator();
HostMemory host_memory();

// Makes it the allocator of all CPU tensors of this process. Tensors made before keep theirs.
void use_host_allocator();

}  // namespace mindspeed::device
