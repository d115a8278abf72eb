// What this machine gives to this process.
#pragma once

#include <cstdint>
#include <string>

namespace mindspeed {

struct Processor {
  std::string isa;           // "avx512-bf16", "avx512", "avx2", "aarch64", "baseline"
  bool bf16_matmul = false;  // it multiplies bf16 (AVX512-BF16 or AMX); else bf16 is computed in fp32
  int cores = 1;             // that this process may use (affinity mask)
};

// Found once.
const Processor& processor();

// Physical memory in bytes, or the limit of the control group that we run in when that is smaller; 0 =
// unknown.
uint64_t machine_memory();

}  // namespace mindspeed
