// Damaged, incomplete and contradictory weights: every one stops the load, and the message names what is
// wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/convert/mapped_source.h"
#include "front/formats/safetensors_folder.h"
#include "tests/front/convert/folders.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Rewrites the weights of a copy with edited entries; `bytes` supplies the data of each.
using Edit = std::function<void(std::vector<SafetensorsEntry>& entries)>;
fs::path rewritten(const std::string& golden, const Edit& edit) {
  const fs::path folder = test::copy_of_golden(golden);
  const SafetensorsFile original(fs::path(test::golden_dir()) / "hf" / golden / "model.safetensors");
  std::vector<SafetensorsEntry> entries = original.entries();
  edit(entries);
  SafetensorsWriter writer(folder / "model.safetensors", entries, original.metadata());
  for (const SafetensorsEntry& entry : writer.entries()) {
    std::vector<std::byte> bytes(entry.bytes);
    const SafetensorsEntry* from = original.find(entry.name);
    if (from != nullptr)
      std::memcpy(bytes.data(), original.bytes(*from).data(), std::min(bytes.size(), size_t{from->bytes}));
    writer.write(entry.name, bytes);
  }
  writer.finish();
  return folder;
}

SafetensorsEntry& entry(std::vector<SafetensorsEntry>& entries, const std::string& name) {
  return *std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
}

std::string load_error(const fs::path& folder) {
  return test::error_of([&] { test::weights_at(folder); });
}

const std::string kDown = "model.layers.1.mlp.down_proj.weight";
const std::string kKey = "model.layers.0.self_attn.k_proj.weight";

// Fault 42, the seven kinds.
TEST(Fault42, MissingTensorIsNamed) {
  const std::string e = load_error(rewritten("llama_tied", [](auto& entries) {
    std::erase_if(entries, [](const auto& x) { return x.name == kDown || x.name == kKey; });
  }));
  EXPECT_HAS(e, "2 missing: " + kKey + ", " + kDown);
}

TEST(Fault42, ExtraTensorIsNamed) {
  const std::string e = load_error(rewritten("llama_tied", [](auto& entries) {
    entries.push_back({"model.layers.2.mlp.down_proj.weight", DType::f32, {32, 48}, 0, 0});
  }));
  EXPECT_HAS(e, "1 unexpected: model.layers.2.mlp.down_proj.weight");
}

TEST(Fault42, TransposedTensorIsNamedWithBothShapes) {
  const std::string e = load_error(rewritten("llama_tied", [](auto& entries) {
    entry(entries, kDown).shape = {48, 32};
  }));
  EXPECT_HAS(e, kDown + " is [48, 32], needed [32, 48]");
}

TEST(Fault42, AllFaultsStandInOneError) {
  const std::string e = load_error(rewritten("llama_bias", [](auto& entries) {
    std::erase_if(entries, [](const auto& x) { return x.name == "model.layers.0.self_attn.q_proj.bias"; });
    entry(entries, kDown).shape = {48, 32};
    entry(entries, kKey).dtype = DType::i32;
    entries.push_back({"score.weight", DType::f32, {2, 32}, 0, 0});
  }));
  EXPECT_HAS(e, "1 missing: model.layers.0.self_attn.q_proj.bias");
  EXPECT_HAS(e, "1 unexpected: score.weight");
  EXPECT_HAS(e, kDown + " is [48, 32]");
  EXPECT_HAS(e, kKey + " is int32");
}

// The next four change the raw header text.
std::string with_header(const std::function<void(std::string& file)>& edit) {
  const fs::path folder = test::copy_of_golden("llama_tied");
  std::string file = read_file(folder / "model.safetensors");
  edit(file);
  write_file_atomic(folder / "model.safetensors", file);
  return load_error(folder);
}

void replace(std::string& file, const std::string& from, const std::string& to) {
  ASSERT_EQ(from.size(), to.size());
  const size_t at = file.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  file.replace(at, from.size(), to);
}

TEST(Fault42, SwappedOffsetsAreNamed) {
  const std::string e = with_header([](std::string& f) { replace(f, "[0,16384]", "[16384,0]"); });
  EXPECT_HAS(e, "model.safetensors");
  EXPECT_HAS(e, "model.embed_tokens.weight");
}

TEST(Fault42, TruncatedFileIsNamed) {
  const std::string e = with_header([](std::string& f) { f.resize(f.size() - 100); });
  EXPECT_HAS(e, "model.safetensors");
  EXPECT_EQ(e.find("nothing thrown"), std::string::npos);
}

TEST(Fault42, HeaderLengthOf2To63IsNamed) {
  const std::string e = with_header([](std::string& f) {
    const uint64_t length = uint64_t{1} << 63;
    std::memcpy(f.data(), &length, sizeof(length));
  });
  EXPECT_HAS(e, "9223372036854775808");
}

TEST(Fault42, DuplicateNameIsNamed) {
  const std::string e =
      with_header([](std::string& f) { replace(f, "layers.1.mlp.up_proj", "layers.0.mlp.up_proj"); });
  EXPECT_HAS(e, "model.layers.0.mlp.up_proj.weight");
}

TEST(NonFinite, TensorsAreAllNamedWhenOneIsRead) {
  const fs::path folder = test::copy_of_golden("llama_tied");
  {
    const SafetensorsFile file(folder / "model.safetensors");
    std::string text = read_file(folder / "model.safetensors");
    const size_t data = text.size() - (file.entries().back().offset + file.entries().back().bytes);
    const float nan = std::nanf(""), inf = -std::numeric_limits<float>::infinity();
    std::memcpy(&text[data + file.find(kDown)->offset + 4 * 37], &nan, 4);
    std::memcpy(&text[data + file.find(kKey)->offset], &inf, 4);
    fs::remove(folder / "model.safetensors");
    write_file_atomic(folder / "model.safetensors", text);
  }
  const auto source = test::weights_at(folder);
  const std::string e = test::error_of([&] { test::read_whole(*source, "layers.1.mlp.down.weight"); });
  EXPECT_HAS(e, "2 tensors hold NaN or infinity");
  EXPECT_HAS(e, kDown + " (first at element 37: nan)");
  EXPECT_HAS(e, kKey + " (first at element 0: -inf)");
  EXPECT_NO_THROW(test::read_whole(*source, "layers.0.mlp.down.weight"));
}

TEST(NonFinite, SearchSeesEveryFormat) {
  for (size_t bad : {size_t{0}, size_t{4095}, size_t{4096}, size_t{9999}}) {
    std::vector<uint16_t> half(10000, 0x3c00);
    EXPECT_FALSE(first_non_finite(std::as_bytes(std::span(half)), DType::f16));
    half[bad] = 0x7c00;  // infinity in fp16, a finite number in bf16
    EXPECT_EQ(first_non_finite(std::as_bytes(std::span(half)), DType::f16), bad);
    EXPECT_FALSE(first_non_finite(std::as_bytes(std::span(half)), DType::bf16));
    half[bad] = 0xffc0;  // NaN in bf16
    EXPECT_EQ(first_non_finite(std::as_bytes(std::span(half)), DType::bf16), bad);
  }
}

// Fault 10: a head in a tied model must be the embedding; an untied model must have one.
TEST(Fault10, TiedHeadMustBeEqualIfPresent) {
  const auto add_head = [](auto& entries) {
    entries.insert(entries.begin(), {"lm_head.weight", DType::f32, {128, 32}, 0, 0});
  };
  const fs::path different = rewritten("llama_tied", add_head);  // the added head is all zeros
  EXPECT_HAS(load_error(different),
             "lm_head.weight differs from model.embed_tokens.weight although tie_word_embeddings is true");

  const fs::path equal = test::copy_of_golden("llama_tied");
  const SafetensorsFile original(fs::path(test::golden_dir()) / "hf/llama_tied/model.safetensors");
  std::vector<SafetensorsEntry> entries = original.entries();
  add_head(entries);
  SafetensorsWriter writer(equal / "model.safetensors", entries, original.metadata());
  for (const SafetensorsEntry& e : writer.entries())
    writer.write(
        e.name,
        original.bytes(*original.find(e.name == "lm_head.weight" ? "model.embed_tokens.weight" : e.name)));
  writer.finish();
  EXPECT_EQ(load_error(equal), "nothing thrown");
}

TEST(Fault10, UntiedModelWithoutAHeadDoesNotLoad) {
  const fs::path folder = rewritten("qwen2", [](auto& entries) {
    std::erase_if(entries, [](const auto& x) { return x.name == "lm_head.weight"; });
  });
  EXPECT_HAS(load_error(folder), "1 missing: lm_head.weight");
}

TEST(Buffers, OldRotaryTablesAreNoError) {
  const fs::path folder = rewritten("llama_tied", [](auto& entries) {
    entries.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", DType::f32, {8}, 0, 0});
  });
  EXPECT_EQ(load_error(folder), "nothing thrown");
}

}  // namespace
}  // namespace mindspeed
