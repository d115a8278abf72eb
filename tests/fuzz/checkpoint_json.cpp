#include "front/formats/checkpoint/metadata.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] {
    const CheckpointMetadata metadata = parse_metadata(fuzz::text_of(data, size), "x");
    check_coverage(metadata);
    const std::string text = metadata_text(metadata);
    if (metadata_text(parse_metadata(text, "y")) != text) std::abort();
  });
}
