#include "front/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] {
    const Tokenizer tokenizer =
        Tokenizer::load(fuzz::folder().put("tokenizer.json", fuzz::text_of(data, size)));
    const std::vector<int32_t> ids = tokenizer.encode("Hello  42\t<|x|> \xc3\xa9\xe4\xb8\xad");
    tokenizer.decode(ids);
    StreamDecoder stream(tokenizer);
    for (const int32_t id : ids) stream.push(id);
    stream.finish();
  });
}
