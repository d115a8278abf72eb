// Dequantisation of GGUF blocks to fp32, bit for bit as ggml and gguf-py compute it.
#pragma once

#include <cstddef>
#include <span>

#include "front/formats/quant/ggml_type.h"

namespace mindspeed {

// Decodes whole blocks: `out` holds blocks.size() / block_bytes * block_elements values. Throws Error naming
// the type if it cannot be decoded (integers, IQ1-IQ3, IQ4_XS, TQ), or if the sizes do not match.
void dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> out);

}  // namespace mindspeed
