#include "front/formats/safetensors.h"

#include <optional>

#include "front/formats/safetensors_folder.h"
#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::contains;
using test::error_of;

// Writes a file of the given header text and `data` bytes and opens it.
std::string open_error(std::string_view header, size_t data, std::optional<uint64_t> claimed_header = {}) {
  const fs::path path = fs::path(test::temporary_dir("st")) / "x.safetensors";
  std::string text = test::raw(claimed_header.value_or(header.size()));
  test::put_file(path, text + std::string(header) + std::string(data, 'x'));
  return error_of([&] { SafetensorsFile file(path); });
}

std::string rewritten(const fs::path& golden) {
  const SafetensorsFile file(golden);
  const fs::path path = fs::path(test::temporary_dir("st")) / "copy.safetensors";
  SafetensorsWriter writer(path, reference_order(file.entries()), file.metadata());
  for (const SafetensorsEntry& entry : writer.entries()) {
    const auto data = file.bytes(*file.find(entry.name));
    writer.write(entry.name, data.first(data.size() / 3));
    writer.write(entry.name, data.subspan(data.size() / 3));
  }
  writer.finish();
  return read_file(path);
}

TEST(Safetensors, GoldenFilesRewrittenAreByteIdentical) {
  for (const char* name : {"/hf/llama_gqa/model.safetensors", "/hf/llama_gqa/fixture.safetensors",
                           "/hf/qwen3_tied/model.safetensors", "/safetensors/all_dtypes.safetensors"})
    EXPECT_TRUE(rewritten(test::golden_dir() + name) == read_file(test::golden_dir() + name)) << name;
}

TEST(Safetensors, EntriesOfAllDtypesAreReadWithTheirBytes) {
  const SafetensorsFile file(test::golden_dir() + "/safetensors/all_dtypes.safetensors");
  EXPECT_EQ(file.entries().size(), 18u);
  EXPECT_EQ(file.metadata()->at("format"), "pt");
  const SafetensorsEntry* bf16 = file.find("z7.bfloat16");  // the 9th dtype: bytes 7 * 8 + k
  ASSERT_NE(bf16, nullptr);
  EXPECT_EQ(bf16->dtype, DType::bf16);
  EXPECT_EQ(bf16->shape, (std::vector<int64_t>{3, 9}));
  EXPECT_EQ(bf16->bytes, 54u);
  EXPECT_EQ(file.bytes(*bf16)[5], std::byte{61});
  EXPECT_EQ(file.find("nothing"), nullptr);
  std::vector<std::byte> box(4);
  file.read_box(*bf16, std::vector<int64_t>{1, 7}, std::vector<int64_t>{1, 2}, box);
  EXPECT_EQ(box[0], std::byte{56 + 2 * (9 + 7)});
}

TEST(Safetensors, EveryFaultOfAHeaderHasItsOwnError) {
  const std::string_view a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const auto file = [&](std::string_view more) {
    return "{" + std::string(a) + "," + std::string(more) + "}";
  };
  EXPECT_TRUE(
      contains(open_error("{}", 0, uint64_t{1} << 63), "header length 9223372036854775808 is out of range"));
  EXPECT_TRUE(contains(open_error("{}", 0, 3), "header needs 3 bytes but only 2 follow"));
  EXPECT_TRUE(contains(open_error("{", 0), "[json]"));
  EXPECT_TRUE(contains(open_error("[]", 0), "not a JSON object"));
  EXPECT_TRUE(contains(open_error("{" + std::string(a) + "}", 7), "truncated"));
  EXPECT_TRUE(contains(open_error("{" + std::string(a) + "}", 9), "1 bytes after the last tensor"));
  EXPECT_TRUE(contains(open_error(file(a), 8), "\"a\" stands twice"));
  EXPECT_TRUE(
      contains(open_error(file(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})"), 8), "overlap"));
  EXPECT_TRUE(
      contains(open_error(file(R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), 8), "overlap"));
  EXPECT_TRUE(
      contains(open_error(file(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]})"), 16), "hole"));
  EXPECT_TRUE(contains(open_error(file(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[12,8]})"), 12),
                       "begin <= end"));
  EXPECT_TRUE(contains(open_error(file(R"("b":{"dtype":"F32","shape":[3],"data_offsets":[8,16]})"), 16),
                       "\"b\" of shape [3] and dtype F32 has 8 bytes of data; shape x dtype needs 12"));
  EXPECT_TRUE(contains(open_error(file(R"("b":{"dtype":"F33","shape":[2],"data_offsets":[8,16]})"), 16),
                       "unknown dtype \"F33\""));
  EXPECT_TRUE(contains(open_error(file(R"("b":{"dtype":"F32","shape":[-2],"data_offsets":[8,16]})"), 16),
                       "shape of tensor"));
  EXPECT_TRUE(contains(
      open_error(file(R"("b":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[8,16]})"), 16),
      "more than 2^63"));
  EXPECT_TRUE(
      contains(open_error(file(R"("b":{"shape":[2],"data_offsets":[8,16]})"), 16), "needs exactly the keys"));
  EXPECT_TRUE(contains(open_error(R"({"__metadata__":{"a":1}})", 0), "__metadata__ \"a\" is not a string"));
}

TEST(Safetensors, AFileCutAnywhereIsRefused) {
  const std::string whole = read_file(test::golden_dir() + "/safetensors/all_dtypes.safetensors");
  const fs::path path = fs::path(test::temporary_dir("st")) / "cut.safetensors";
  for (size_t size = 0; size < whole.size(); size += 7) {
    test::put_file(path, std::string_view(whole).substr(0, size));
    EXPECT_NE(error_of([&] { SafetensorsFile file(path); }), "") << size;
  }
}

TEST(Safetensors, AWriterRefusesWrongOrderAndIncompleteTensors) {
  const fs::path path = fs::path(test::temporary_dir("st")) / "w.safetensors";
  const std::vector<SafetensorsEntry> entries{{"a", DType::u8, {2}}, {"b", DType::u8, {1}}};
  {
    SafetensorsWriter writer(path, entries);
    EXPECT_THROW(writer.write("b", test::bytes_of("x")), std::logic_error);
    writer.write("a", test::bytes_of("x"));
    EXPECT_THROW(writer.write("a", test::bytes_of("xy")), std::logic_error);
    EXPECT_THROW(writer.finish(), std::logic_error);
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(contains(error_of([&] {
                         SafetensorsWriter writer(path, {entries[0], entries[0]});
                       }),
                       "two tensors"));
}

// Three shards of a golden file, as an exporter writes them.
fs::path sharded(std::string* index) {
  const SafetensorsFile file(test::golden_dir() + "/hf/llama_gqa/model.safetensors");
  const fs::path folder = test::temporary_dir("shards");
  const auto shards = split_into_shards(file.entries(), 100'000);
  for (const SafetensorsShard& shard : shards) {
    SafetensorsWriter writer(folder / shard.file_name, shard.entries, file.metadata());
    for (const auto& entry : shard.entries) writer.write(entry.name, file.bytes(*file.find(entry.name)));
    writer.finish();
  }
  *index = index_json(shards);
  test::put_file(folder / "model.safetensors.index.json", *index);
  return folder;
}

TEST(SafetensorsFolder, ShardsHoldEveryTensorOnce) {
  std::string index;
  const fs::path folder = sharded(&index);
  const SafetensorsFile whole(test::golden_dir() + "/hf/llama_gqa/model.safetensors");
  const SafetensorsFolder shards(folder);
  EXPECT_EQ(shards.files().size(), 3u);
  EXPECT_EQ(shards.names().size(), whole.entries().size());
  for (const auto& entry : whole.entries()) {
    const auto a = whole.bytes(entry), b = shards.at(entry.name).bytes();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << entry.name;
  }
  EXPECT_TRUE(
      contains(error_of([&] { shards.at("model.norm.weigth"); }), "nearest name is \"model.norm.weight\""));
}

TEST(SafetensorsFolder, MissingShardsAndALyingIndexAreNamed) {
  std::string index;
  const fs::path folder = sharded(&index);
  const fs::path index_path = folder / "model.safetensors.index.json";
  std::string wrong = index;
  const size_t at = wrong.find("model.norm.weight\": \"model-0000") + 31;
  wrong[at] = wrong[at] == '1' ? '2' : '1';
  test::put_file(index_path, wrong);
  EXPECT_TRUE(contains(error_of([&] { SafetensorsFolder f(folder); }),
                       "disagree: \"model.norm.weight\" is in model-0000"));
  test::put_file(index_path, R"({"weight_map":{"a":"../x.safetensors"}})");
  EXPECT_TRUE(contains(error_of([&] { SafetensorsFolder f(folder); }), "not a plain file name"));
  fs::copy_file(folder / "model-00001-of-00003.safetensors", folder / "extra.safetensors");
  fs::remove(index_path);
  EXPECT_TRUE(contains(error_of([&] { SafetensorsFolder f(folder); }), "stands in both"));
  test::put_file(index_path, index);
  fs::remove(folder / "model-00001-of-00003.safetensors");
  fs::remove(folder / "model-00003-of-00003.safetensors");
  EXPECT_TRUE(contains(
      error_of([&] { SafetensorsFolder f(folder); }),
      "2 of 3 shards are missing: model-00001-of-00003.safetensors, model-00003-of-00003.safetensors"));
  EXPECT_TRUE(
      contains(error_of([&] { SafetensorsFolder f(test::temporary_dir("none")); }), "no *.safetensors"));
}

TEST(SafetensorsFolder, ShardsAreCutAsHuggingFaceHubDoes) {
  const std::vector<SafetensorsEntry> entries{
      {"a", DType::u8, {6}}, {"b", DType::u8, {20}}, {"c", DType::u8, {4}}, {"d", DType::u8, {1}}};
  const auto shards = split_into_shards(entries, 10);  // b alone first; a and c; d
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(
      index_json(shards),
      "{\n  \"metadata\": {\n    \"total_size\": 31\n  },\n  \"weight_map\": {\n"
      "    \"a\": \"model-00002-of-00003.safetensors\",\n    \"b\": \"model-00001-of-00003.safetensors\",\n"
      "    \"c\": \"model-00002-of-00003.safetensors\",\n    \"d\": \"model-00003-of-00003.safetensors\"\n  "
      "}\n}\n");
  EXPECT_EQ(split_into_shards(entries, 100)[0].file_name, "model.safetensors");
}

}  // namespace
}  // namespace mindspeed
