#include "tests/fuzz/records.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return mindspeed::fuzz::read_records("x.jsonl", mindspeed::fuzz::text_of(data, size));
}
