// What the processor of this process can do, found once at start.
#pragma once

#include <string>

namespace mindspeed::device {

struct CpuCapabilities {
  std::string isa;  // "avx512-bf16", "avx512", "avx2", "aarch64", "baseline"
  bool bf16_matmul =
      false;      // the hardware multiplies bf16 (AVX512-BF16 or AMX); else bf16 is computed in fp32
  int cores = 1;  // that this process may use (affinity mask)
};

const CpuCapabilities& cpu();

}  // namespace mindspeed::device
