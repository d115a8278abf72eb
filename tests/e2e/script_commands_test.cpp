// All 72 commands of MindSpeed's Qwen3 examples through the program itself, under MindSpeed's names: every
// one is understood and stops before any work at a stated reason (its placeholder paths, or a feature that is
// not built).
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <map>
#include <vector>

#include "tests/support/qwen3_commands.h"

namespace mindspeed {
namespace {

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct Answer {
  int code = -1;
  std::string error;
};

Answer run(const std::vector<std::string>& words) {
  std::string line = quoted(std::string(MINDSPEED_BINARY_DIR) + "/bin/mindspeed");
  for (const std::string& word : words) line += " " + quoted(word);
  FILE* pipe = ::popen((line + " 2>&1 >/dev/null </dev/null").c_str(), "r");
  Answer answer;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) answer.error += buffer;
  answer.code = WEXITSTATUS(::pclose(pipe));
  return answer;
}

// Entry point -> how many commands it has, and the reasons at which they may stop.
struct Expected {
  int commands;
  std::vector<std::string> reasons;
};
const std::map<std::string, Expected> kExpected = {
    {"pretrain_gpt.py",
     {17, {"does not exist", "only the 1F1B schedule is built yet", "ranks came; tensor"}}},
    {"posttrain_gpt.py", {26, {"fine-tuning and alignment are not built yet", "--log-interval came twice"}}},
    {"train_fsdp2.py", {8, {"the fully sharded back-end is not built yet"}}},
    {"evaluation.py", {6, {"evaluation tasks are not built yet"}}},
    {"inference.py", {6, {"does not exist", "generation runs on one rank"}}},
    {"preprocess_data.py",
     {4, {"instruction data needs the fine-tuning feature", "a folder with tokenizer.json"}}},
    {"convert_ckpt.py", {2, {"Megatron's weight layout is not available"}}},
    {"convert_ckpt_v2.py", {3, {"Megatron's weight layout is not available", "adapters are not built yet"}}}};

TEST(ScriptCommands, EveryExampleIsUnderstoodAndStopsAtAStatedReason) {
  int total = 0;
  for (const auto& [entry, expected] : kExpected) {
    int count = 0;
    for (const test::ExampleCommand& command : test::example_commands(entry)) {
      std::vector<std::string> words = command.words;
      words.insert(words.begin(), "MindSpeed-LLM/" + entry);
      const Answer answer = run(words);
      EXPECT_EQ(answer.code, 2) << command.script << ": " << answer.error;
      bool stated = false;
      for (const std::string& reason : expected.reasons)
        stated |= answer.error.find(reason) != std::string::npos;
      EXPECT_TRUE(stated) << command.script << ": " << answer.error;
      ++count;
    }
    EXPECT_EQ(count, expected.commands) << entry;
    total += count;
  }
  EXPECT_EQ(total, 72);
}

TEST(ScriptCommands, AnUnknownScriptOrCommandIsRefusedByName) {
  const Answer answer = run({"pretrain_vlm.py"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.error.find("unknown command 'pretrain_vlm.py'"), std::string::npos) << answer.error;
}

TEST(ScriptCommands, HelpListsEveryFlagWithItsReason) {
  FILE* pipe = ::popen(
      (quoted(std::string(MINDSPEED_BINARY_DIR) + "/bin/mindspeed") + " help --all-flags").c_str(), "r");
  std::string text;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  EXPECT_EQ(::pclose(pipe), 0);
  for (const char* part :
       {"--rampup-batch-size", "--training.output_dir", "--target-tensor-parallel-size", "--handler-name",
        "<refused: fine-tuning and alignment are not built yet", "<equivalent: "})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace mindspeed
