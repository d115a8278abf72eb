#include "front/formats/npy.h"

#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::contains;
using test::error_of;
using Shape = std::vector<int64_t>;

std::string golden(const std::string& name) { return test::golden_dir() + "/npy/" + name + ".npy"; }

template <class T>
std::string written(const Shape& shape, const std::vector<T>& values) {
  const std::string path = test::temporary_dir("npy") + "/x.npy";
  write_npy(path, npy_dtype<T>(), shape, std::as_bytes(std::span(values)));
  return read_file(path);
}

TEST(Npy, WrittenFilesEqualNumpys) {
  EXPECT_EQ(written<int16_t>({3}, {1, -2, 3}), read_file(golden("i16")));
  EXPECT_EQ(written<int32_t>({6, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), read_file(golden("i32")));
  EXPECT_EQ(written<int64_t>({2}, {int64_t{1} << 40, -1}), read_file(golden("i64")));
  EXPECT_EQ(written<uint32_t>({1}, {4000000000}), read_file(golden("u32")));
  EXPECT_EQ(written<int32_t>({0, 2}, {}), read_file(golden("empty")));
}

TEST(Npy, FilesOfNumpyAreRead) {
  const NpyFile i32(golden("i32"));
  EXPECT_EQ(i32.dtype(), DType::i32);
  EXPECT_EQ(i32.shape(), (Shape{6, 2}));
  EXPECT_EQ(i32.as<int32_t>()[11], 11);
  EXPECT_EQ(NpyFile(golden("i64")).as<int64_t>()[0], int64_t{1} << 40);
  EXPECT_EQ(NpyFile(golden("u32")).as<uint32_t>()[0], 4000000000u);
  EXPECT_EQ(NpyFile(golden("i16")).as<int16_t>()[1], -2);
  EXPECT_EQ(NpyFile(golden("empty")).as<int32_t>().size(), 0u);
}

TEST(Npy, FaultsAreNamed) {
  EXPECT_TRUE(contains(error_of([] { NpyFile file(golden("fortran")); }), "Fortran order"));
  EXPECT_TRUE(
      contains(error_of([] { NpyFile(golden("i32")).as<int64_t>(); }), "holds int32; int64 was needed"));
  const std::string path = test::temporary_dir("npy") + "/x.npy";
  const std::string whole = read_file(golden("i32"));
  for (size_t size = 0; size < whole.size(); ++size) {
    test::put_file(path, whole.substr(0, size));
    EXPECT_NE(error_of([&] { NpyFile file(path); }), "") << size;
  }
  test::put_file(path, whole + "x");
  EXPECT_TRUE(contains(error_of([&] { NpyFile file(path); }), "shape [6, 2] of int32 does not fit 49 bytes"));
  std::string wrong = whole;
  wrong.replace(wrong.find("<i4"), 3, ">i4");
  test::put_file(path, wrong);
  EXPECT_TRUE(contains(error_of([&] { NpyFile file(path); }), "'>i4' is not supported"));
}

}  // namespace
}  // namespace mindspeed
