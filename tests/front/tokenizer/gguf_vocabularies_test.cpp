// The vocabularies that llama-cpp-python's source archive ships, with the ids of the models' own tokenizers
// (made by transformers, without BOS and EOS). Offline the archive may be missing: the tests are skipped
// aloud.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/convert/gguf/gguf_config.h"
#include "front/convert/open_tokenizer.h"
#include "front/formats/gguf/gguf_file.h"
#include "tests/front/tokenizer/fixtures.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

std::string vocabulary(const std::string& name) {
  return test::fixture("llama_cpp/models.ggml-vocab-" + name + ".gguf");
}

struct Vector {
  std::string text;
  std::vector<int32_t> ids;
};

// NAME.gguf.inp holds the texts, each followed by a line "__ggml_vocab_test__"; NAME.gguf.out the ids, a line
// each.
std::vector<Vector> vectors(const std::string& name) {
  const std::string texts = read_file(vocabulary(name) + ".inp");
  std::istringstream lines(read_file(vocabulary(name) + ".out"));
  constexpr std::string_view kEnd = "\n__ggml_vocab_test__\n";
  std::vector<Vector> all;
  size_t at = 0;
  for (std::string line; std::getline(lines, line);) {
    if (at > texts.size()) throw std::runtime_error(name + " has more lines of ids than texts");
    const size_t end = std::min(texts.find(kEnd, at), texts.size());  // the last text may end with the file
    Vector one{texts.substr(at, end - at), {}};
    std::istringstream numbers(line);
    for (int32_t id = 0; numbers >> id;) one.ids.push_back(id);
    all.push_back(std::move(one));
    at = end + kEnd.size();
  }
  return all;
}

class LlamaCppVocabularies : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_fixture("llama_cpp"))
      GTEST_SKIP()
          << "SKIPPED: llama-cpp-python's source archive is not there; run scripts/fetch_fixtures.sh online";
  }
};

TEST_F(LlamaCppVocabularies, GiveTheIdsOfTheModelsOwnTokenizers) {
  for (const std::string name :
       {"bert-bge", "command-r", "deepseek-coder", "deepseek-llm", "falcon", "gemma-4", "gpt-2", "llama-bpe",
        "llama-spm", "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder"}) {
    const Tokenizer tokenizer = open_tokenizer(vocabulary(name));
    const auto tests = vectors(name);
    EXPECT_GE(tests.size(), 45) << name;
    bool equal = true;
    for (const Vector& one : tests) {
      const auto ids = tokenizer.encode(one.text, {.parse_special = false});
      EXPECT_EQ(ids, one.ids) << name << ": " << one.text;
      equal = equal && ids == one.ids;
    }
    EXPECT_TRUE(test::prove("tokenizer", "ids.gguf." + name, equal));
  }
}

// No vectors come with these four: one works and keeps every byte, three cannot be read for a reason that is
// said.
TEST_F(LlamaCppVocabularies, WithoutVectorsTheyWorkOrSayWhyNot) {
  const Tokenizer baichuan = open_tokenizer(vocabulary("baichuan"));
  for (const Vector& one : vectors("llama-spm"))
    EXPECT_EQ(baichuan.decode(baichuan.encode(one.text)), one.text);
  for (const std::string name : {"aquila", "gpt-neox"})
    EXPECT_THAT([&] { open_tokenizer(vocabulary(name)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("does not name its pre-tokenizer")));
  EXPECT_THAT([&] { open_tokenizer(vocabulary("nomic-bert-moe")); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("of kind \"t5\"")));
}

// What `convert` writes beside a model is read back as the same tokenizer.
TEST_F(LlamaCppVocabularies, WrittenAsFilesTheyStayTheSame) {
  for (const std::string name : {"llama-spm", "gemma-4", "bert-bge", "deepseek-llm", "falcon"}) {
    const GgufVocabulary given = gguf_vocabulary(GgufFile(vocabulary(name)));
    const TokenizerFiles files = to_tokenizer_json(given);
    const std::string folder = test::temporary_dir("gguf_" + name);
    write_file_atomic(folder + "/tokenizer.json", files.tokenizer_json);
    write_file_atomic(folder + "/tokenizer_config.json", files.tokenizer_config_json);
    const Tokenizer tokenizer = open_tokenizer(folder);
    for (const Vector& one : vectors(name)) EXPECT_EQ(tokenizer.encode(one.text), one.ids) << name;
    EXPECT_EQ(tokenizer.vocab_size(), given.tokens.size());
  }
}

}  // namespace
}  // namespace mindspeed
