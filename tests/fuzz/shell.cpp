#include "front/script/import_report.h"
#include "front/script/launch_script.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] { find_launches(read_shell(fuzz::text_of(data, size), "x.sh"), "x.sh"); });
}
