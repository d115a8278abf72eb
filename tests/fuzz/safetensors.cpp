#include "front/formats/safetensors.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] {
    const SafetensorsFile file(fuzz::folder().put("x.safetensors", fuzz::text_of(data, size)));
    size_t sum = 0;
    for (const SafetensorsEntry& entry : file.entries())
      for (const std::byte b : file.bytes(entry)) sum += static_cast<size_t>(b);
    if (sum > size * 255) std::abort();  // overlapping tensors
  });
}
