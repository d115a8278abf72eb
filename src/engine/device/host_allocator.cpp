#include "engine/device/host_allocator.h"

#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <new>

namespace mindspeed::device {
namespace {

constexpr size_t kHeader = 64;               // before the data, keeps them aligned to 64 bytes
constexpr size_t kSmall = size_t{64} << 10;  // below: malloc
constexpr double kKeep = 1.08;

struct Header {
  size_t bytes;  // of the whole block; below kSmall it came from malloc
};

size_t class_of(size_t bytes) {
  const size_t step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

Header* header_of(void* data) { return reinterpret_cast<Header*>(static_cast<char*>(data) - kHeader); }

class HostAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (bytes == 0) return {nullptr, nullptr, &release, cpu};
    void* data = take(bytes + kHeader);
    return {data, data, &release, cpu};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }

  HostMemory memory() {
    const std::lock_guard lock(mutex_);
    return memory_;
  }

 private:
  struct Free {
    void* block;
    size_t bytes;
  };
  using Queue = std::list<Free>;  // in the order in which they became free

  static void release(void* data);

  void* take(size_t bytes) {
    if (bytes < kSmall) {
      void* block = std::aligned_alloc(kHeader, (bytes + kHeader - 1) / kHeader * kHeader);
      if (block == nullptr) throw std::bad_alloc();
      return with_header(block, bytes);
    }
    const size_t size = class_of(bytes);
    const std::lock_guard lock(mutex_);
    memory_.live += size;
    memory_.peak_live = std::max(memory_.peak_live, memory_.live);
    std::vector<Queue::iterator>& same = classes_[size];
    if (same.empty()) return with_header(map(size), size);
    const Queue::iterator found =
        same.back();  // the one freed last is likeliest still in the processor's caches
    same.pop_back();
    void* block = found->block;
    memory_.cached -= size;
    queue_.erase(found);
    return with_header(block, size);
  }

  void give(void* block, size_t size) {
    const std::lock_guard lock(mutex_);
    memory_.live -= size;
    memory_.cached += size;
    queue_.push_back({block, size});
    classes_[size].push_back(std::prev(queue_.end()));
  }

  void* map(size_t size) {
    const auto limit = static_cast<size_t>(kKeep * static_cast<double>(memory_.peak_live));
    while (!queue_.empty() && memory_.live + memory_.cached > limit) unmap_oldest();
    for (;;) {
      void* block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (block != MAP_FAILED) return block;
      if (queue_.empty()) {
        memory_.live -= size;
        throw std::bad_alloc();
      }
      unmap_oldest();
    }
  }

  void unmap_oldest() {
    const Queue::iterator oldest = queue_.begin();
    std::vector<Queue::iterator>& same = classes_[oldest->bytes];
    same.erase(std::find(same.begin(), same.end(), oldest));
    ::munmap(oldest->block, oldest->bytes);
    memory_.cached -= oldest->bytes;
    queue_.erase(oldest);
  }

  static void* with_header(void* block, size_t bytes) {
    static_cast<Header*>(block)->bytes = bytes;
    return static_cast<char*>(block) + kHeader;
  }

  std::mutex mutex_;
  Queue queue_;
  std::map<size_t, std::vector<Queue::iterator>> classes_;
  HostMemory memory_;
};

// Never destroyed: tensors of static life may outlive everything else. libtorch has one allocator per
// process, too.
HostAllocator& instance() {
  static HostAllocator& allocator = *new HostAllocator;
  return allocator;
}

void HostAllocator::release(void* data) {
  if (data == nullptr) return;
  Header* header = header_of(data);
  if (header->bytes < kSmall)
    std::free(header);
  else
    instance().give(header, header->bytes);
}

}  // namespace

c10::Allocator& host_allocator() { return instance(); }
HostMemory host_memory() { return instance().memory(); }
void use_host_allocator() { c10::SetCPUAllocator(&instance(), /*priority=*/1); }

}  // namespace mindspeed::device
