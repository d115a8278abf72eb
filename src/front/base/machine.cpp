#include "front/base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "front/base/file.h"

namespace mindspeed {
namespace {

Processor detect() {
  Processor found;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) found.cores = std::max(1, CPU_COUNT(&set));
#if defined(__x86_64__)
  __builtin_cpu_init();
  found.isa = "baseline";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.isa = "avx2";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) found.isa = "avx512";
  if (found.isa == "avx512" && __builtin_cpu_supports("avx512bf16")) {
    found.isa = "avx512-bf16";
    found.bf16_matmul = true;
  }
#elif defined(__aarch64__)
  found.isa = "aarch64";
#else
  found.isa = "baseline";
#endif
  return found;
}

}  // namespace

const Processor& processor() {
  static const Processor found = detect();
  return found;
}

uint64_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : 0;
  const fs::path limit_file = "/sys/fs/cgroup/memory.max";
  if (!fs::exists(limit_file)) return bytes;
  const std::string text = read_file(limit_file);
  uint64_t limit = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), limit).ec == std::errc() && limit < bytes)
    bytes = limit;
  return bytes;
}

}  // namespace mindspeed
