// Every pretrain_gpt.py command of MindSpeed's Qwen3 examples becomes a plan, or a refusal that states its
// reason.
#include <algorithm>
#include <map>

#include "tests/front/planner/planning.h"
#include "tests/support/proof.h"
#include "tests/support/qwen3_commands.h"

namespace mindspeed {
namespace {

// The words without a flag and its value.
std::vector<std::string> without(std::vector<std::string> words, const std::string& flag) {
  const auto at = std::find(words.begin(), words.end(), flag);
  if (at != words.end()) words.erase(at, at + 2);
  return words;
}

int value_of(const std::vector<std::string>& words, const std::string& flag) {
  return std::stoi(*(std::find(words.begin(), words.end(), flag) + 1));
}

// Cards of the script: one machine with 8, or two where one copy of the model needs them.
std::string ranks_of(const std::vector<std::string>& words) {
  const int copy =
      value_of(words, "--tensor-model-parallel-size") * value_of(words, "--pipeline-model-parallel-size");
  return copy <= 8 ? "8" : "16";
}

// The command with its placeholders filled in: data that exists, random weights instead of a downloaded
// model, and the ranks of eight cards per machine.
std::vector<std::string> filled(std::vector<std::string> words, const std::string& folder) {
  for (std::string& word : words) {
    if (word == "your data path") word = folder + "/data";
    if (word == "your tokenizer path" || word == "your model save ckpt path") word = folder;
  }
  words = without(words, "--load");
  std::erase(words, "--enable-hf2mg-convert");
  words.insert(words.end(), {"--dry-run", "--world-size", ranks_of(words)});
  return words;
}

TEST(Qwen3Commands, PlaceholderPathsAreRefusedByName) {
  for (const auto& command : test::example_commands("pretrain_gpt.py")) {
    const std::string message = test::refusal_of(command.words);
    const bool stated = message.find("does not exist") != std::string::npos ||
                        message.find("cannot be honoured") != std::string::npos ||
                        message.find("ranks came") != std::string::npos;
    EXPECT_TRUE(stated) << command.script << ": " << message;
  }
}

TEST(Qwen3Commands, WithPathsFilledInTheyPlanOrStateTheReason) {
  const std::string folder = test::temporary_dir("qwen3");
  write_file_atomic(folder + "/data.bin", "x");
  write_file_atomic(folder + "/data.idx", "x");
  std::map<std::string, int64_t> parameters;
  size_t refused = 0;
  for (const auto& command : test::example_commands("pretrain_gpt.py")) {
    const auto words = filled(command.words, folder);
    const bool interleaved =
        std::find(words.begin(), words.end(), "--num-layers-per-virtual-pipeline-stage") != words.end();
    if (interleaved) {
      test::expect_contains(test::refusal_of(words), "only the 1F1B schedule is built yet");
      ++refused;
      continue;
    }
    const Plan plan = test::plan_words(words).plan;
    EXPECT_EQ(plan.model.family, "qwen3") << command.script;
    EXPECT_EQ(plan.padded_vocab, 151936) << command.script;
    const bool seeded = std::find(words.begin(), words.end(), "--seed") != words.end();
    EXPECT_EQ(plan.run.seed, seeded ? 42u : 1234u) << command.script;
    EXPECT_EQ(plan.batch.steps, 2000) << command.script;
    parameters[command.script] = total_elements(plan.parameters);
  }
  EXPECT_EQ(parameters.size() + refused, 17u);
  EXPECT_GE(parameters.size(), 12u);
  EXPECT_EQ(parameters.at("examples/mcore/qwen3/pretrain_qwen3_0point6b_4K_ptd.sh"), 596049920);
  EXPECT_EQ(parameters.at("examples/mcore/qwen3/pretrain_qwen3_8b_4K_ptd.sh"), 8190735360);
}

}  // namespace
}  // namespace mindspeed
