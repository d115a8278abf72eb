// The tensors of a GGUF file as OutsideTensors, dequantised to fp32 when they are read.
#pragma once

#include <memory>

#include "front/convert/mapped_source.h"
#include "front/formats/gguf/gguf_file.h"

namespace mindspeed {

// Every type that formats/quant decodes; F16 and BF16 are widened exactly. Leaves out rope_freqs.weight,
// which gguf_config turns into rope settings.
std::unique_ptr<OutsideTensors> gguf_tensors(std::shared_ptr<const GgufFile> file);

}  // namespace mindspeed
