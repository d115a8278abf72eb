#include "front/convert/open_tokenizer.h"
#include "front/formats/gguf/gguf_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  const fs::path path = fuzz::folder().put("x.gguf", fuzz::text_of(data, size));
  fuzz::expect_answer([&] {
    const GgufFile file(path);
    for (const GgufTensor& tensor : file.tensors())
      if (ggml_type_info(tensor.type).decodable && tensor.bytes > 0) file.read(tensor);
  });
  return fuzz::expect_answer([&] { open_tokenizer(path).encode("Hello 42 \xc3\xa9"); });
}
