// The safetensors of a Hugging Face folder as OutsideTensors.
#pragma once

#include <memory>

#include "front/base/file.h"
#include "front/convert/mapped_source.h"

namespace mindspeed {

// Opens model.safetensors, its shards with their index, or one file; nothing is copied until it is read.
// Throws Error for every fault that SafetensorsFolder names, and for folders that hold only pickled weights.
std::unique_ptr<OutsideTensors> open_safetensors(const fs::path& path);

}  // namespace mindspeed
