// Every component of tokenizer.json gives what HF tokenizers gives (tools/oracles/tokenizer_components.py).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

// The cases of one kind; at least `count`.
std::vector<Json> cases(const std::string& kind, size_t count) {
  std::ifstream file(test::golden_dir() + "/tokenizer_components.jsonl");
  std::vector<Json> out;
  for (std::string line; std::getline(file, line);)
    if (Json one = Json::parse(line); one["kind"] == kind) out.push_back(std::move(one));
  EXPECT_GE(out.size(), count);
  return out;
}

std::string error_of(const Json& file) {
  try {
    parts_from_json(file.dump(), {}, "test");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

Json tiny_file() {
  return {{"added_tokens", Json::array()},
          {"model", {{"type", "BPE"}, {"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}}, {"merges", {"a b"}}}}};
}

TEST(Components, NormalizersEqualTheReference) {
  for (const Json& one : cases("normalizer", 20)) {
    const auto normalizer = tokenization::make_normalizer(one["component"]);
    for (const Json& row : one["rows"])
      EXPECT_EQ(normalizer(row[0].get<std::string>()), row[1].get<std::string>()) << one["component"];
  }
}

TEST(Components, PreTokenizersEqualTheReference) {
  for (const Json& one : cases("pre_tokenizer", 38)) {
    const auto plan = tokenization::make_pre_tokenizer(one["component"]);
    for (const Json& row : one["rows"]) {
      const auto text = row[0].get<std::string>();
      tokenization::PreTokenizeScratch scratch;
      std::vector<tokenization::Piece> pieces;
      if (!text.empty()) plan.splitter->split({text, true}, scratch, pieces);
      std::vector<std::string> words;
      for (const auto& piece : pieces) words.emplace_back(piece.text);
      EXPECT_EQ(words, row[1].get<std::vector<std::string>>()) << one["component"] << " on " << row[0];
    }
  }
}

TEST(Components, WholePipelinesEqualTheReference) {
  for (const Json& one : cases("pipeline", 8)) {
    const Tokenizer tokenizer(parts_from_json(one["component"].dump(), {}, "test"));
    for (const Json& row : one["rows"]) {
      const auto text = row[0].get<std::string>();
      const auto ids = row[1].get<std::vector<int32_t>>();
      EXPECT_EQ(tokenizer.encode(text, {.parse_special = true}), ids)
          << row[0] << one["component"]["pre_tokenizer"];
      EXPECT_EQ(tokenizer.encode(text, {.add_special_tokens = true, .parse_special = true}),
                row[2].get<std::vector<int32_t>>());
      EXPECT_EQ(tokenizer.decode(ids), row[3].get<std::string>()) << row[0];
      StreamDecoder stream(tokenizer);
      std::string joined;
      for (const int32_t id : ids) joined += stream.push(id);
      EXPECT_EQ(joined + stream.finish(), row[3].get<std::string>());
    }
  }
}

TEST(Components, UnknownOnesAreRefusedByName) {
  EXPECT_EQ(error_of(tiny_file()), "no error");
  const std::vector<std::pair<std::string, Json>> unknown{{"normalizer", {{"type", "Precompiled"}}},
                                                          {"pre_tokenizer", {{"type", "UnicodeScripts"}}},
                                                          {"decoder", {{"type", "CTC"}}},
                                                          {"post_processor", {{"type", "Magic"}}},
                                                          {"model", {{"type", "Unigram"}}},
                                                          {"model", {{"type", "Unigram"}}}};
  for (const auto& [place, component] : unknown) {
    Json file = tiny_file();
    file[place] = component;
    EXPECT_NE(error_of(file).find(component["type"].get<std::string>()), std::string::npos) << error_of(file);
  }
  Json setting = tiny_file();
  setting["pre_tokenizer"] = {{"type", "Digits"}, {"groups_of", 3}};
  EXPECT_NE(error_of(setting).find("groups_of"), std::string::npos);
  Json dropout = tiny_file();
  dropout["model"]["dropout"] = 0.1;
  EXPECT_NE(error_of(dropout).find("dropout"), std::string::npos);
}

TEST(Components, DamagedVocabulariesAreRefused) {
  Json merge = tiny_file();
  merge["model"]["merges"] = {"a c"};
  EXPECT_NE(error_of(merge).find("\"c\""), std::string::npos);
  Json twice = tiny_file();
  twice["model"]["vocab"]["b"] = 0;
  EXPECT_NE(error_of(twice).find("id 0"), std::string::npos);
  Json added = tiny_file();
  added["added_tokens"] = {{{"id", 7}, {"content", "ab"}, {"special", true}}};
  EXPECT_NE(error_of(added).find("\"ab\""), std::string::npos);
  Json negative = tiny_file();
  negative["model"]["vocab"]["b"] = -1;
  EXPECT_NE(error_of(negative).find("-1"), std::string::npos);
}

TEST(Components, AnAddedTokenWithALetterOfTheByteAlphabetDecodesToItself) {
  // "é" is also how byte 0xE9 is written in byte-level vocabularies.
  Json file = tiny_file();
  file["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
  file["decoder"] = {{"type", "ByteLevel"}};
  file["added_tokens"] = {{{"id", 3}, {"content", "<né>"}, {"special", false}}};
  const Tokenizer tokenizer(parts_from_json(file.dump(), {}, "test"));
  const auto ids = tokenizer.encode("ab<né>");
  EXPECT_EQ(ids, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(tokenizer.decode(ids), "ab<né>");
}

TEST(Components, TextThatIsNotUtf8IsRefusedWithItsPlaceWhereNoByteTokensExist) {
  const Tokenizer tokenizer(parts_from_json(tiny_file().dump(), {}, "test"));
  try {
    tokenizer.encode("ab\xff");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("byte 2"), std::string::npos);
  }
}

}  // namespace
}  // namespace mindspeed
