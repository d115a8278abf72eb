// gzip and zstd: the first byte chooses. A bomb must not grow memory.
#include "front/data/readers/byte_source.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  if (size == 0) return 0;
  const std::filesystem::path path =
      fuzz::folder().put(data[0] % 2 == 0 ? "x.txt.gz" : "x.txt.zst", fuzz::text_of(data + 1, size - 1));
  return fuzz::expect_answer([&] {
    const auto source = open_bytes(path);
    std::vector<char> buffer(4096);
    for (size_t total = 0; total < (size_t{1} << 22);) {
      const size_t n = source->read(buffer.data(), buffer.size());
      if (n == 0) break;
      total += n;
    }
  });
}
