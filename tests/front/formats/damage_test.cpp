// Readers of outside files meet damaged input: they answer with an Error or read something valid, and never
// crash. Built with MINDSPEED_SANITIZE, an out-of-bounds read ends the program.
#include <sys/mman.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "front/formats/gguf/gguf_file.h"
#include "front/formats/indexed_dataset.h"
#include "front/formats/npy.h"
#include "front/formats/safetensors.h"
#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

constexpr int kTries = 2000;

// A file in memory that can be opened by path: thousands of rewrites cost no disk time.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("damaged", 0)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }
  fs::path path() const { return fmt::format("/proc/self/fd/{}", fd_); }
  void put(std::string_view text) const {
    ASSERT_EQ(::ftruncate(fd_, 0), 0);
    ASSERT_EQ(::pwrite(fd_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }

 private:
  int fd_;
};

// One random change: a cut, one to four changed bits, or a number overwritten by an extreme one. Most hit the
// first `header` bytes, where the structure is.
std::string damaged(std::string text, size_t header, std::mt19937_64& random) {
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const size_t reach = below(8) == 0 ? text.size() : std::min(header, text.size());
  switch (below(4)) {
    case 0:
      text.resize(below(text.size()));
      break;
    case 1: {
      constexpr uint64_t extremes[] = {0,         1,         255, 1u << 31, UINT32_MAX, uint64_t{1} << 63,
                                       INT64_MAX, UINT64_MAX};
      const size_t width = size_t{1} << below(4), at = below(reach);
      text.replace(at, width, test::raw(extremes[below(8)]).substr(0, width));
      break;
    }
    default:
      for (size_t n = below(4) + 1; n > 0; --n) {
        const size_t at = below(reach);
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      }
  }
  return text;
}

// Damages `file` kTries times and opens each by `open`; returns how many were accepted.
int accepted(const std::string& file, size_t header, const std::function<void(const std::string&)>& open) {
  std::mt19937_64 random(20261130);
  int good = 0;
  for (int i = 0; i < kTries; ++i) {
    try {
      open(damaged(file, header, random));
      ++good;
    } catch (const Error&) {
    }
  }
  return good;
}

TEST(DamagedFiles, SafetensorsNeverCrash) {
  const MemoryFile memory;
  size_t sum = 0;
  const int good = accepted(read_file(test::golden_dir() + "/safetensors/all_dtypes.safetensors"), 1400,
                            [&](const auto& text) {
                              memory.put(text);
                              const SafetensorsFile file(memory.path());
                              for (const auto& entry : file.entries())
                                for (const std::byte b : file.bytes(entry)) sum += static_cast<size_t>(b);
                            });
  EXPECT_GT(sum, 0u);
  EXPECT_GT(good, 100);  // changed data and names are not detectable
  EXPECT_LT(good, kTries / 2);
}

TEST(DamagedFiles, GgufNeverCrash) {
  const MemoryFile memory;
  size_t sum = 0;
  const int good = accepted(read_file(test::golden_dir() + "/gguf/types.gguf"), 1400, [&](const auto& text) {
    memory.put(text);
    const GgufFile file(memory.path());
    for (const GgufTensor& tensor : file.tensors())
      if (ggml_type_info(tensor.type).decodable && tensor.bytes > 0) sum += file.read(tensor).size();
  });
  EXPECT_GT(sum, 0u);
  EXPECT_GT(good, 100);
  EXPECT_LT(good, kTries * 9 / 10);
}

TEST(DamagedFiles, IndexFilesNeverCrash) {
  const std::string prefix = test::temporary_dir("damage") + "/x";
  const std::string golden = test::golden_dir() + "/megatron/indexed/int32_7docs";
  const MemoryFile memory;
  fs::copy_file(golden + ".bin", prefix + ".bin");
  fs::create_symlink(memory.path(), prefix + ".idx");
  int64_t sum = 0;
  const int good = accepted(read_file(golden + ".idx"), 400, [&](const auto& text) {
    memory.put(text);
    const IndexedDataset file(prefix);
    for (size_t s = 0; s < file.sequences(); ++s) {
      std::vector<int64_t> ids(static_cast<size_t>(file.sequence_lengths()[s]));
      file.read(s, 0, ids);
      for (const int64_t id : ids) sum ^= id;
    }
  });
  EXPECT_LT(good, kTries / 2);
  EXPECT_NE(sum, 1);
}

TEST(DamagedFiles, NpyNeverCrash) {
  const MemoryFile memory;
  const int good = accepted(read_file(test::golden_dir() + "/npy/i32.npy"), 128, [&](const auto& text) {
    memory.put(text);
    const NpyFile file(memory.path());
    EXPECT_LE(file.bytes().size(), text.size());
  });
  EXPECT_LT(good, kTries / 2 + kTries / 4);
}

}  // namespace
}  // namespace mindspeed
