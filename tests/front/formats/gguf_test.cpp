#include "front/formats/gguf/gguf_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/formats/quant/ggml_codec.h"
#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::contains;
using test::error_of;
using test::raw;

std::string fixture() { return test::golden_dir() + "/gguf/types.gguf"; }

// What gguf-py decoded: values of all tensors of the fixture in file order.
std::vector<float> expected_values() {
  const std::string bytes = read_file(test::golden_dir() + "/gguf/types.f32");
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(Gguf, EveryBlockTypeIsDecodedToTheBitsOfGgufPy) {
  const GgufFile file(fixture());
  const std::vector<float> expected = expected_values();
  size_t at = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    if (tensor.name == "I32") continue;
    EXPECT_EQ(ggml_type_info(tensor.type).name, tensor.name);
    EXPECT_EQ(tensor.shape, (std::vector<int64_t>{2, 256}));
    ASSERT_LE(at + 512, expected.size());
    EXPECT_TRUE(same_bits(file.read(tensor), std::span(expected).subspan(at, 512))) << tensor.name;
    at += 512;
  }
  EXPECT_EQ(at, expected.size());
  EXPECT_EQ(at, 15u * 512);
}

TEST(Gguf, ABoxEqualsThatPartOfTheWholeTensor) {
  const GgufFile file(fixture());
  for (const GgufTensor& tensor : file.tensors()) {
    if (tensor.name == "I32") continue;
    const std::vector<float> whole = file.read(tensor);
    std::vector<float> box(2 * 77);
    file.read_box(tensor, std::vector<int64_t>{0, 30}, std::vector<int64_t>{2, 77}, box);
    for (size_t r = 0; r < 2; ++r)
      EXPECT_TRUE(same_bits(std::span(box).subspan(77 * r, 77), std::span(whole).subspan(256 * r + 30, 77)))
          << tensor.name;
    std::vector<float> row(256);
    file.read_box(tensor, std::vector<int64_t>{1, 0}, std::vector<int64_t>{1, 256}, row);
    EXPECT_TRUE(same_bits(row, std::span(whole).subspan(256)));
  }
  EXPECT_TRUE(contains(
      error_of([&] {
        std::vector<float> out(256);
        file.read_box(file.tensors()[0], std::vector<int64_t>{2, 0}, std::vector<int64_t>{1, 256}, out);
      }),
      "start [2, 0] size [1, 256] is no box of tensor \"F32\" of shape [2, 256]"));
  EXPECT_TRUE(contains(error_of([&] { file.read(*file.find_tensor("I32")); }), "type I32 cannot be decoded"));
}

TEST(Gguf, ABlockOfQ8KIsItsScaleTimesItsCodes) {
  std::string block = raw(0.5f) + std::string(288, '\0');
  block[4] = 127;
  block[4 + 255] = static_cast<char>(-128);
  std::vector<float> out(256);
  dequantize(GgmlType::q8_k, test::bytes_of(block), out);
  EXPECT_EQ(out[0], 63.5f);
  EXPECT_EQ(out[1], 0.0f);
  EXPECT_EQ(out[255], -64.0f);
  EXPECT_TRUE(
      contains(error_of([&] { dequantize(GgmlType::q8_k, test::bytes_of("xyz"), out); }), "3 bytes of Q8_K"));
}

TEST(Gguf, EveryMetadataTypeIsRead) {
  const GgufFile file(fixture());
  EXPECT_EQ(file.version(), 3u);
  EXPECT_EQ(file.alignment(), 64u);
  EXPECT_EQ(file.at("general.architecture").as_string(""), "llama");
  const std::pair<const char*, int64_t> integers[] = {{"t.u8", 200},
                                                      {"t.i8", -100},
                                                      {"t.u16", 60000},
                                                      {"t.i16", -30000},
                                                      {"t.u32", 4000000000},
                                                      {"t.i32", -2000000000},
                                                      {"t.i64", -(int64_t{1} << 62)}};
  for (const auto& [key, value] : integers) EXPECT_EQ(file.at(key).as_int(key), value) << key;
  EXPECT_EQ(std::get<uint64_t>(file.at("t.u64").storage()), (uint64_t{1} << 63) + 5);
  EXPECT_TRUE(contains(error_of([&] { file.at("t.u64").as_int("t.u64"); }), "\"t.u64\" is of type uint64"));
  EXPECT_EQ(file.at("t.f32").as_double(""), double{0.1f});
  EXPECT_EQ(file.at("t.f64").as_double(""), 0.1);
  EXPECT_TRUE(file.at("t.yes").as_bool(""));
  EXPECT_FALSE(file.at("t.no").as_bool(""));
  EXPECT_EQ(file.at("t.text").as_string(""), "héllo 中");
  EXPECT_EQ(file.at("t.strings").as_strings(""), (std::vector<std::string>{"a", "", "<|im_start|>"}));
  EXPECT_EQ(file.at("t.ints").as_ints(""), (std::vector<int64_t>{1, -2, 3}));
  EXPECT_EQ(file.at("t.floats").as_doubles(""), (std::vector<double>{0.5, -1.25}));
  const auto& nested = file.at("t.nested").as_array("").values;
  ASSERT_EQ(nested.size(), 2u);
  EXPECT_EQ(nested[0].as_ints(""), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(nested[1].as_ints(""), (std::vector<int64_t>{3}));
  EXPECT_TRUE(contains(error_of([&] { file.at("t.none"); }), "no metadata key \"t.none\""));
  EXPECT_TRUE(contains(error_of([&] { file.at("t.text").as_int("t.text"); }), "of type string; an integer"));
}

// A file of one F32 tensor "w" of 8 values, made by hand; the parts can be changed to be wrong.
struct HandMade {
  uint32_t magic = 0x46554747, version = 3, dimensions = 1, type = 0;
  uint64_t tensors = 1, pairs = 0, extent = 8, offset = 0, name_length = 1;
  size_t data = 32;
  std::string metadata = {};

  std::string error() const {
    const fs::path path = fs::path(test::temporary_dir("gguf")) / "x.gguf";
    std::string text = raw(magic) + raw(version) + raw(tensors) + raw(pairs) + metadata;
    for (uint64_t t = 0; t < std::min<uint64_t>(tensors, 2); ++t) {
      text += raw(name_length) + "w" + raw(dimensions) + raw(extent) + raw(type) + raw(offset);
    }
    text.resize((text.size() + 31) / 32 * 32 + data);
    test::put_file(path, text);
    return error_of([&] { GgufFile file(path); });
  }
};

TEST(Gguf, EveryFaultHasItsOwnError) {
  EXPECT_TRUE(contains(HandMade{.magic = 1}.error(), "does not begin with \"GGUF\""));
  EXPECT_TRUE(contains(HandMade{.version = 1}.error(), "GGUF version 1"));
  EXPECT_TRUE(contains(HandMade{.version = 0x03000000}.error(), "big-endian"));
  EXPECT_TRUE(contains(HandMade{.data = 31}.error(),
                       "tensor \"w\" needs bytes 0 to 32 of the data, but the file holds 31"));
  EXPECT_TRUE(contains(HandMade{.type = 99}.error(), "tensor \"w\" has the unknown type 99"));
  EXPECT_TRUE(contains(HandMade{.type = 2}.error(), "shape [8] is not made of Q4_0 blocks of 32"));
  EXPECT_TRUE(contains(HandMade{.dimensions = 9}.error(), "9 dimensions"));
  EXPECT_TRUE(contains(HandMade{.extent = uint64_t{1} << 62}.error(), "2^63"));
  EXPECT_TRUE(contains(HandMade{.extent = UINT64_MAX}.error(), "is not made of"));
  EXPECT_TRUE(contains(HandMade{.offset = 4, .data = 64}.error(), "no multiple of the alignment 32"));
  EXPECT_TRUE(contains(HandMade{.offset = UINT64_MAX - 31}.error(), "needs bytes"));
  EXPECT_TRUE(contains(HandMade{.name_length = UINT64_MAX}.error(), "18446744073709551615 characters"));
  EXPECT_TRUE(contains(HandMade{.tensors = 2}.error(), "two tensors are called \"w\""));
  EXPECT_TRUE(contains(HandMade{.tensors = UINT64_MAX}.error(), "18446744073709551615 tensors cannot fit"));
  const std::string pair = raw(uint64_t{1}) + "k";
  EXPECT_TRUE(contains(HandMade{.pairs = 1, .metadata = pair + raw(13u)}.error(),
                       "unknown type 13 of a metadata value"));
  EXPECT_TRUE(contains(HandMade{.pairs = 2, .metadata = pair + raw(0u) + "x" + pair + raw(0u) + "x"}.error(),
                       "\"k\" stands twice"));
  std::string deep = pair + raw(9u);
  for (int i = 0; i < 20; ++i) deep += raw(9u) + raw(uint64_t{1});
  EXPECT_TRUE(contains(HandMade{.pairs = 1, .metadata = deep}.error(), "nested deeper"));
  const std::string align = raw(uint64_t{17}) + "general.alignment" + raw(4u);
  EXPECT_TRUE(contains(HandMade{.pairs = 1, .metadata = align + raw(0u)}.error(),
                       "alignment 0 is not a power of two"));
}

TEST(Gguf, Version2IsReadLikeVersion3) {
  std::string text = read_file(fixture());
  text[4] = 2;
  const fs::path path = fs::path(test::temporary_dir("gguf")) / "v2.gguf";
  test::put_file(path, text);
  const GgufFile file(path);
  EXPECT_EQ(file.version(), 2u);
  EXPECT_EQ(file.tensors().size(), 16u);
}

TEST(Gguf, SmolLm2IsDecodedToTheBitsOfGgufPy) {
  const fs::path folder = fs::path(test::source_dir()) / "build/fixtures/smollm2_gguf";
  fs::path model;
  if (fs::exists(folder))
    for (const auto& item : fs::recursive_directory_iterator(folder))
      if (item.path().extension() == ".gguf") model = item.path();
  if (model.empty())
    GTEST_SKIP() << "SmolLM2 is not in " << folder << "; scripts/fetch_fixtures.sh fetches it";
  const GgufFile file(model);
  const Json expected = read_json(test::golden_dir() + "/gguf/smollm2_sha256.json");
  EXPECT_EQ(file.tensors().size(), 272u);
  EXPECT_EQ(file.at("tokenizer.ggml.tokens").as_array("").values.size(), 49152u);
  for (const GgufTensor& tensor : file.tensors()) {
    const Json& row = expected.at(tensor.name);
    EXPECT_EQ(row[0], ggml_type_info(tensor.type).name);
    EXPECT_EQ(row[1], Json(tensor.shape));
    const std::vector<float> values = file.read(tensor);
    const auto bytes = std::as_bytes(std::span(values));
    EXPECT_EQ(row[2], sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) << tensor.name;
  }
}

}  // namespace
}  // namespace mindspeed
