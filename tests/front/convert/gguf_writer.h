// Writes small GGUF files (version 3, fp32 tensors) for tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "front/base/file.h"

namespace mindspeed::test {

using GgufMetadata = std::vector<std::pair<std::string, std::variant<uint32_t, float, std::string>>>;

struct GgufTestTensor {
  std::string name;
  std::vector<int64_t> shape;  // row-major, slowest first
  std::vector<float> values;
};

void write_gguf(const fs::path& path, const GgufMetadata& metadata,
                const std::vector<GgufTestTensor>& tensors);

}  // namespace mindspeed::test
