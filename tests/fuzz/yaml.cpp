#include "front/config/command_line.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  const std::filesystem::path path = fuzz::folder().put("x.yaml", fuzz::text_of(data, size));
  return fuzz::expect_answer([&] {
    parse_settings(kPretrain, std::vector<std::string>{"--config", path.string()});
  });
}
