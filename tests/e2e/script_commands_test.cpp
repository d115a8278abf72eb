// All 72 commands of MindSpeed's Qwen3 examples through the program itself, under MindSpeed's names: every
// one is understood and stops before any work at a stated reason (its placeholder paths, or a feature that is
// not built).
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/qwen3_commands.h"

namespace mindspeed {
namespace {

using test::Answer;
using test::run_program;

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
      const Answer answer = run_program(words);
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
  const Answer answer = run_program({"pretrain_vlm.py"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.error.find("unknown command 'pretrain_vlm.py'"), std::string::npos) << answer.error;
}

TEST(ScriptCommands, HelpListsEveryFlagWithItsReason) {
  const Answer answer = run_program({"help", "--all-flags"});
  EXPECT_EQ(answer.code, 0);
  for (const char* part :
       {"--rampup-batch-size", "--training.output_dir", "--target-tensor-parallel-size", "--handler-name",
        "<refused: fine-tuning and alignment are not built yet", "<equivalent: "})
    EXPECT_NE(answer.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace mindspeed
