#include "engine/device/host_allocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace mindspeed::device {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

c10::DataPtr filled(size_t bytes, int value) {
  c10::DataPtr data = host_allocator().allocate(bytes);
  std::memset(data.get(), value, bytes);
  return data;
}

TEST(HostAllocator, AlignsEverySizeAndAllowsNone) {
  EXPECT_EQ(host_allocator().allocate(0).get(), nullptr);
  for (const size_t bytes : {1ul, 63ul, 65535ul, 65536ul, 65537ul, 1000003ul}) {
    const c10::DataPtr data = filled(bytes, 1);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data.get()) % 64, 0u) << bytes;
  }
}

TEST(HostAllocator, ServesTheSameClassFromTheBlockFreedLast) {
  void* first = filled(3 * kMiB, 1).get();  // freed at once
  const size_t cached = host_memory().cached;
  const c10::DataPtr again = host_allocator().allocate(3 * kMiB + 1000);
  EXPECT_EQ(again.get(), first);
  EXPECT_LT(host_memory().cached, cached);
}

// Sizes are rounded up to an eighth of a power of two, header of 64 bytes included: 1 MiB + 64 -> 1.125 MiB.
TEST(HostAllocator, CountsBlocksInTheirClasses) {
  const size_t before = host_memory().live;
  const c10::DataPtr data = host_allocator().allocate(kMiB);
  EXPECT_EQ(host_memory().live - before, kMiB + kMiB / 8);
}

// 64 blocks of 4 MiB are freed; later requests of other classes must not pile up on top of them.
TEST(HostAllocator, KeepsNoMoreThanTheLargestLiveSizeAndAFewPercent) {
  {
    std::vector<c10::DataPtr> blocks;
    for (int i = 0; i < 64; ++i) blocks.push_back(filled(4 * kMiB, i));
  }
  std::vector<c10::DataPtr> others;
  for (int i = 0; i < 30; ++i) {
    others.push_back(filled(5 * kMiB + static_cast<size_t>(i) * kMiB / 2, i));
    const HostMemory memory = host_memory();
    EXPECT_LE(static_cast<double>(memory.live + memory.cached), 1.08 * static_cast<double>(memory.peak_live));
  }
}

TEST(HostAllocator, ThreadsNeverShareABlock) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) {
        const size_t bytes = 60000 + static_cast<size_t>(i % 7) * 30000;
        const c10::DataPtr data = filled(bytes, t);
        const char* at = static_cast<const char*>(data.get());
        for (size_t k = 0; k < bytes; k += 4096) ASSERT_EQ(at[k], t);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace mindspeed::device
