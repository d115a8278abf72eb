#include "front/formats/indexed_dataset.h"

#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/formats/indexed/builder.h"
#include "front/formats/indexed/idx_layout.h"
#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::contains;
using test::error_of;

constexpr const char* kGolden[] = {"int32_7docs", "int32_empty_doc", "int32_zero_len",
                                   "int64_3docs", "uint16_5docs",    "uint8_3docs"};

std::string golden(const std::string& name) { return test::golden_dir() + "/megatron/indexed/" + name; }

// Sequences and document ends of a golden's JSON, added one by one.
void add_all(const Json& expected, IndexedDatasetBuilder& builder) {
  size_t done = 0;
  for (size_t d = 1; d < expected["document_indices"].size(); ++d) {
    for (; done < expected["document_indices"][d]; ++done)
      builder.add_sequence(expected["sequences"][done].get<std::vector<int64_t>>());
    builder.end_document();
  }
}

bool same_pair(const std::string& a, const std::string& b) {
  return read_file(a + ".bin") == read_file(b + ".bin") && read_file(a + ".idx") == read_file(b + ".idx");
}

TEST(IndexedDataset, MegatronsFilesAreReadAsRecorded) {
  for (const char* name : kGolden) {
    const Json expected = read_json(golden(name) + ".json");
    const IndexedDataset file(golden(name));
    EXPECT_EQ(file.dtype(), dtype_from_string(expected["dtype"].get<std::string>()));
    EXPECT_EQ(file.document_indices(), expected["document_indices"].get<std::vector<int64_t>>());
    EXPECT_EQ(file.documents() + 1, expected["document_indices"].size());
    ASSERT_EQ(file.sequences(), expected["sequence_count"]);
    for (size_t s = 0; s < file.sequences(); ++s) {
      EXPECT_EQ(file.sequence_lengths()[s], expected["sequence_lengths"][s]);
      EXPECT_EQ(file.pointer(s), expected["sequence_pointers"][s]);
      std::vector<int64_t> ids(static_cast<size_t>(file.sequence_lengths()[s]));
      file.read(s, 0, ids);
      EXPECT_EQ(ids, expected["sequences"][s].get<std::vector<int64_t>>()) << name << " " << s;
    }
    for (const Json& get : expected["gets"]) {
      std::vector<int32_t> ids(get["length"].get<size_t>());
      file.read(get["idx"], get["offset"], ids);
      EXPECT_EQ(ids, get["ids"].get<std::vector<int32_t>>());
    }
  }
}

TEST(IndexedDataset, TheBuilderWritesMegatronsBytes) {
  const std::string folder = test::temporary_dir("idx");
  for (const char* name : kGolden) {
    const Json expected = read_json(golden(name) + ".json");
    IndexedDatasetBuilder builder(folder + "/" + name,
                                  dtype_from_string(expected["dtype"].get<std::string>()));
    add_all(expected, builder);
    EXPECT_FALSE(fs::exists(folder + "/" + name + ".bin"));
    EXPECT_FALSE(fs::exists(folder + "/" + name + ".idx"));
    builder.finish();
    EXPECT_TRUE(same_pair(folder + "/" + name, golden(name))) << name;
  }
}

TEST(IndexedDataset, MergedPartsEqualOneFile) {
  const std::string folder = test::temporary_dir("idx");
  IndexedDatasetBuilder merged(folder + "/merged"), whole(folder + "/whole");
  for (const char* name : {"int32_7docs", "int32_empty_doc", "int32_zero_len"}) {
    merged.add_file(golden(name));
    add_all(read_json(golden(name) + ".json"), whole);
  }
  merged.finish();
  whole.finish();
  EXPECT_TRUE(same_pair(folder + "/merged", folder + "/whole"));
  EXPECT_EQ(IndexedDataset(folder + "/merged").documents(), 7u + 3 + 4);
  IndexedDatasetBuilder other(folder + "/other", DType::u16);
  EXPECT_TRUE(contains(error_of([&] { other.add_file(golden("int32_7docs")); }), "holds int32, but"));
}

TEST(IndexedDataset, AnAbandonedBuilderLeavesNothing) {
  const std::string folder = test::temporary_dir("idx");
  {
    IndexedDatasetBuilder builder(folder + "/x");
    builder.add_sequence(std::vector<int32_t>(300'000, 7));
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(IndexedDataset, ManySequencesKeepTheirOrder) {  // more than one piece of the spools
  const std::string prefix = test::temporary_dir("idx") + "/many";
  IndexedDatasetBuilder builder(prefix, DType::u16);
  for (int64_t i = 0; i < 300'000; ++i) {
    builder.add_sequence(std::vector<int64_t>(static_cast<size_t>(i % 3), i % 65536));
    if (i % 2 == 1) builder.end_document();
  }
  builder.finish();
  const IndexedDataset file(prefix);
  EXPECT_EQ(file.sequences(), 300'000u);
  EXPECT_EQ(file.documents(), 150'000u);
  EXPECT_EQ(file.document_index(149'999), 299'998);
  std::vector<int64_t> ids(2);
  file.read(299'999, 0, ids);  // 299999 % 3 == 2
  EXPECT_EQ(ids, (std::vector<int64_t>(2, 299'999 % 65536)));
}

TEST(IndexedDataset, TokensThatDoNotFitAreRefused) {
  IndexedDatasetBuilder builder(test::temporary_dir("idx") + "/x", DType::u16);
  builder.add_sequence(std::vector<int32_t>{0, 65535});
  EXPECT_TRUE(contains(error_of([&] { builder.add_sequence(std::vector<int32_t>{65536}); }),
                       "token 65536 does not fit"));
  EXPECT_TRUE(
      contains(error_of([&] { builder.add_sequence(std::vector<int64_t>{-1}); }), "token -1 does not fit"));
  EXPECT_TRUE(
      contains(error_of([] { IndexedDatasetBuilder b(test::temporary_dir("idx") + "/x", DType::bf16); }),
               "bf16 has no code"));
  EXPECT_EQ(token_dtype(65499), DType::u16);
  EXPECT_EQ(token_dtype(65500), DType::i32);
}

TEST(IndexedDataset, PointersBeyond32BitsStayPositive) {
  EXPECT_EQ(idx::next_pointer(0, 600'000'000, 4), 2'400'000'000u);
  EXPECT_EQ(idx::next_pointer(uint64_t{INT64_MAX} - 7, 2, 4), std::nullopt);
  // Two such sequences, in a .bin with a hole instead of data.
  const std::string prefix = test::temporary_dir("idx") + "/big";
  using test::raw;
  const int32_t length = 600'000'000;
  test::put_file(prefix + ".idx", std::string(idx::kMagic) + raw(uint64_t{1}) + raw(uint8_t{4}) +
                                      raw(uint64_t{2}) + raw(uint64_t{2}) + raw(length) + raw(length) +
                                      raw(int64_t{0}) + raw(int64_t{2'400'000'000}) + raw(int64_t{0}) +
                                      raw(int64_t{2}));
  test::put_file(prefix + ".bin", "");
  fs::resize_file(prefix + ".bin", 4'800'000'000);
  const IndexedDataset file(prefix);
  EXPECT_EQ(file.pointer(1), 2'400'000'000);
  std::vector<int64_t> last(1, 9);
  file.read(1, 599'999'999, last);
  EXPECT_EQ(last[0], 0);
}

// A copy of a golden pair with bytes of its .idx replaced, or files cut; returns the error of opening it.
struct Damage {
  size_t at = 0;
  std::string bytes = {};
  int cut_idx = 0, cut_bin = 0;
  std::string name = "int32_7docs";
  std::string error() const {
    const std::string prefix = test::temporary_dir("idx") + "/x";
    std::string idx = read_file(golden(name) + ".idx"), bin = read_file(golden(name) + ".bin");
    idx.replace(at, bytes.size(), bytes);
    idx.resize(idx.size() - static_cast<size_t>(cut_idx));
    bin.resize(bin.size() - static_cast<size_t>(cut_bin));
    test::put_file(prefix + ".idx", idx);
    test::put_file(prefix + ".bin", bin);
    return error_of([&] { IndexedDataset file(prefix); });
  }
};

TEST(IndexedDataset, EveryFaultHasItsOwnError) {
  using test::raw;
  EXPECT_TRUE(contains(Damage{.bytes = "X"}.error(), "does not begin with \"MMIDIDX\""));
  EXPECT_TRUE(contains(Damage{.at = 9, .bytes = raw(uint64_t{2})}.error(), "version 2"));
  EXPECT_TRUE(contains(Damage{.at = 17, .bytes = "\x09"}.error(), "unknown dtype code 9"));
  EXPECT_TRUE(contains(Damage{.at = 17, .bytes = "\x08"}.error(),
                       "the lengths before it times 2 bytes (uint16) give 10"));
  EXPECT_TRUE(contains(Damage{.cut_idx = 1}.error(), "x.idx is truncated"));
  EXPECT_TRUE(contains(Damage{.cut_idx = 220}.error(), "the header alone has 34"));
  EXPECT_TRUE(contains(Damage{.cut_bin = 1}.error(), "x.bin is truncated"));
  EXPECT_TRUE(contains(Damage{.at = 18, .bytes = raw(UINT64_MAX)}.error(),
                       "truncated: 18446744073709551615 sequences"));
  EXPECT_TRUE(contains(Damage{.at = 34, .bytes = raw(int32_t{-5})}.error(), "sequence 0 has the length -5"));
  EXPECT_TRUE(contains(Damage{.at = 34 + 12 * 12, .bytes = raw(int64_t{1})}.error(), "must begin with 0"));
  EXPECT_TRUE(contains(Damage{.at = 34 + 12 * 12 + 8, .bytes = raw(int64_t{99})}.error(), "never fall"));
  const std::string prefix = test::temporary_dir("idx") + "/swapped";
  fs::copy_file(golden("int32_7docs") + ".bin", prefix + ".bin");
  fs::copy_file(golden("int32_zero_len") + ".idx", prefix + ".idx");
  EXPECT_TRUE(contains(error_of([&] { IndexedDataset file(prefix); }), "do not belong together"));
  EXPECT_TRUE(contains(error_of([&] { IndexedDataset file(prefix + ".bin"); }), "leave out the extension"));
  const IndexedDataset file(golden("int32_7docs"));
  std::vector<int64_t> ids(6);
  EXPECT_TRUE(contains(error_of([&] { file.read(0, 0, ids); }),
                       "elements 0 to 6 of sequence 0 were asked for, it has 5"));
  EXPECT_TRUE(contains(error_of([&] { file.read(12, 0, ids); }), "sequence 12 was asked for, there are 12"));
}

}  // namespace
}  // namespace mindspeed
