#include "engine/device/capabilities.h"

#include <sched.h>

#include <algorithm>

namespace mindspeed::device {
namespace {

CpuCapabilities detect() {
  CpuCapabilities found;
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

const CpuCapabilities& cpu() {
  static const CpuCapabilities capabilities = detect();
  return capabilities;
}

}  // namespace mindspeed::device
