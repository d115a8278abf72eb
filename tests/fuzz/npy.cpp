#include "front/formats/npy.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] {
    const NpyFile file(fuzz::folder().put("x.npy", fuzz::text_of(data, size)));
    if (file.bytes().size() > size) std::abort();
    file.as<int64_t>();
  });
}
