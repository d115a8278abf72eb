#include "front/formats/indexed_dataset.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  static const std::string bin(4096, '\1');
  const fs::path prefix = fuzz::folder().path() / "x";
  if (!fs::exists(prefix.string() + ".bin")) fuzz::folder().put("x.bin", bin);
  // The first two bytes say how long the .bin is, so that a valid pair can be found.
  if (size < 2) return 0;
  fs::resize_file(prefix.string() + ".bin", (data[0] | data[1] << 8) & 4095);
  fuzz::folder().put("x.idx", fuzz::text_of(data + 2, size - 2));
  return fuzz::expect_answer([&] {
    const IndexedDataset file(prefix.string());
    for (size_t s = 0; s < file.sequences(); ++s) {
      std::vector<int64_t> ids(static_cast<size_t>(file.sequence_lengths()[s]));
      file.read(s, 0, ids);
    }
    file.document_indices();
  });
}
