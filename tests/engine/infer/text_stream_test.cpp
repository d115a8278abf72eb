// Fault 38: where an answer ends, and what of it is shown.
#include "engine/infer/text_stream.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/infer/commands.h"
#include "front/base/file.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

const Tokenizer& smollm2() {
  static const Tokenizer tokenizer = Tokenizer::load(golden_dir() + "/tokenizers/smollm2");
  return tokenizer;
}

// The text that is shown when these tokens come one by one.
std::string shown(TextStream& stream, const std::vector<int32_t>& ids) {
  std::string out;
  for (const int32_t id : ids) out += stream.push(id);
  return out + stream.finish();
}

int32_t id_of(std::string_view token) { return smollm2().id(token).value(); }

TEST(Fault38, AStopStringAcrossTwoTokensEndsTheTextBeforeIt) {
  TextStream stream(smollm2(), {"ab"});
  EXPECT_EQ(stream.push(id_of("x")), "x");
  EXPECT_EQ(stream.push(id_of("a")), "");  // may become the stop string
  EXPECT_EQ(stream.push(id_of("b")), "");
  EXPECT_TRUE(stream.stopped());
  EXPECT_EQ(stream.push(id_of("y")) + stream.finish(), "");
  EXPECT_EQ(stream.text(), "x");
}

TEST(Fault38, WhatWasHeldBackIsShownWhenItWasNoStopString) {
  TextStream stream(smollm2(), {"ab", "ac!"});
  EXPECT_EQ(shown(stream, {id_of("a"), id_of("c"), id_of("a")}), "aca");
  EXPECT_FALSE(stream.stopped());
}

TEST(Fault38, AnEmojiOfFourByteTokensIsShownOnceAndWholeAlsoWhenTheLimitCutsIt) {
  // f0 9f 98 80; byte tokens are spelled in GPT-2's byte alphabet.
  const std::vector<int32_t> bytes = {id_of("ð"), id_of("Ł"), id_of("ĺ"), id_of("Ģ")};
  TextStream whole(smollm2(), {});
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(whole.push(bytes[i]), "");
  EXPECT_EQ(whole.push(bytes[3]), "\xf0\x9f\x98\x80");
  TextStream cut(smollm2(), {});
  const std::vector<int32_t> three(bytes.begin(), bytes.end() - 1);
  EXPECT_EQ(shown(cut, three), smollm2().decode(three));
}

TEST(Fault38, TheStopSetIsTheUnionOfTheConfigsAndTheTokenizer) {
  const fs::path folder = temporary_dir("stop");
  write_file_atomic(folder / "generation_config.json", R"({"eos_token_id": [3, 7]})");
  write_file_atomic(folder / "config.json", R"({"eos_token_id": 5})");
  EXPECT_EQ(stop_ids(folder, smollm2()), (std::set<int32_t>{3, 5, 7, smollm2().eos().value()}));
}

}  // namespace
}  // namespace mindspeed::test
