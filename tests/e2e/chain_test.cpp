// Fault 45: the whole chain through the program, on CPUs alone, with four processes.
#include <gtest/gtest.h>

#include <fstream>

#include "front/base/file.h"
#include "tests/support/program.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::Answer;
using test::run_program;

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A model of two layers over SmolLM2's vocabulary.
const std::vector<std::string> kModel = {"--num-layers",
                                         "2",
                                         "--hidden-size",
                                         "64",
                                         "--num-attention-heads",
                                         "4",
                                         "--ffn-hidden-size",
                                         "128",
                                         "--max-position-embeddings",
                                         "128",
                                         "--swiglu",
                                         "--normalization",
                                         "RMSNorm",
                                         "--position-embedding-type",
                                         "rope",
                                         "--untie-embeddings-and-output-weights",
                                         "--disable-bias-linear",
                                         "--vocab-size",
                                         "49152"};

std::string tokenizer() { return test::golden_dir() + "/tokenizers/smollm2"; }

void write_text(const std::string& path) {
  std::ofstream out(path);
  for (int i = 0; i < 300; ++i)
    out << R"({"text": "Line )" << i << " of a text whose numbers differ: " << i * i << R"(."})"
        << "\n";
}

Answer pretrain(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"launch", "--nproc", "4", "--", "pretrain"};
  words = joined(words, kModel);
  words = joined(words, {"--tensor-model-parallel-size",
                         "2",
                         "--seq-length",
                         "64",
                         "--micro-batch-size",
                         "1",
                         "--global-batch-size",
                         "4",
                         "--train-iters",
                         "4",
                         "--lr",
                         "1e-3",
                         "--split",
                         "90,10,0",
                         "--eval-iters",
                         "1",
                         "--threads",
                         "1",
                         "--log-interval",
                         "1",
                         "--tokenizer-name-or-path",
                         tokenizer()});
  return run_program(joined(words, more));
}

TEST(Fault45, FromTextToAnAnswerOnCpusWithFourProcesses) {
  const std::string folder = test::temporary_dir("chain");
  write_text(folder + "/text.jsonl");
  Answer answer =
      run_program({"preprocess", "--input", folder + "/text.jsonl", "--output-prefix", folder + "/data",
                   "--tokenizer-name-or-path", tokenizer(), "--append-eod", "--workers", "2"});
  ASSERT_EQ(answer.code, 0) << answer.error;

  const std::vector<std::string> run = {"--data-path", folder + "/data_text_document",
                                        "--save",      folder + "/run",
                                        "--load",      folder + "/run",
                                        "--export-hf", folder + "/hf"};
  answer = pretrain(joined(run, {"--exit-interval", "2"}));
  ASSERT_EQ(answer.code, 0) << answer.error;
  EXPECT_FALSE(fs::exists(folder + "/hf/config.json"));
  answer = pretrain(run);
  ASSERT_EQ(answer.code, 0) << answer.error;
  EXPECT_EQ(answer.out.find("iteration        2/"), std::string::npos) << "began again: " << answer.out;
  EXPECT_NE(answer.out.find("iteration        3/"), std::string::npos) << answer.out;

  answer = run_program({"doctor", "--run", folder + "/run"});
  EXPECT_EQ(answer.code, 0) << answer.out;
  // The checkpoint of four processes, converted afterwards, is the folder that the run exported.
  answer = run_program({"convert", "--load", folder + "/run", "--hf-cfg-dir", folder + "/hf", "--save",
                        folder + "/converted"});
  ASSERT_EQ(answer.code, 0) << answer.error;
  for (const char* file : {"/model.safetensors", "/config.json", "/tokenizer.json"})
    EXPECT_EQ(read_file(folder + "/converted" + file), read_file(folder + "/hf" + file)) << file;

  answer = run_program(
      {"generate", "--model", folder + "/hf", "--prompt", "Line 7 of", "--greedy", "--max-new-tokens", "8"});
  EXPECT_EQ(answer.code, 0) << answer.error;
  EXPECT_GT(answer.out.size(), 1u);
  test::prove("llama", "chain.cpu.four_processes", !HasFailure());
}

// Text as --data-path: what is trained on is what preprocess would have made of it.
TEST(RawText, FourProcessesTokeniseOnceAndTrainAsOnPreprocessedData) {
  const std::string folder = test::temporary_dir("raw_chain");
  write_text(folder + "/text.jsonl");
  const Answer made =
      run_program({"preprocess", "--input", folder + "/text.jsonl", "--output-prefix", folder + "/data",
                   "--tokenizer-name-or-path", tokenizer(), "--append-eod"});
  ASSERT_EQ(made.code, 0) << made.error;
  const auto loss_lines = [](const std::string& text) {
    std::string out;
    for (size_t at = 0; (at = text.find("lm loss:", at)) != std::string::npos; ++at)
      out += text.substr(at, 23) + "\n";
    return out;
  };
  const Answer indexed = pretrain({"--data-path", folder + "/data_text_document"});
  const Answer raw = pretrain({"--data-path", folder + "/text.jsonl", "--append-eod"});
  ASSERT_EQ(raw.code, 0) << raw.error;
  EXPECT_NE(loss_lines(indexed.out), "");
  EXPECT_EQ(loss_lines(raw.out), loss_lines(indexed.out));
  int pairs = 0;
  for (const auto& entry : fs::directory_iterator(folder + "/mindspeed_cache"))
    pairs += entry.path().extension() == ".idx";
  EXPECT_EQ(pairs, 1);
  const Answer again = pretrain({"--data-path", folder + "/text.jsonl", "--append-eod"});
  EXPECT_NE(again.error.find("was tokenised before"), std::string::npos);
  EXPECT_EQ(again.error.find("documents, "), std::string::npos) << again.error;
}

}  // namespace
}  // namespace mindspeed
