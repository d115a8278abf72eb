// MindSpeed-LLM's Qwen3 example commands (tests/golden/qwen3_commands.jsonl) as argument lists.
#pragma once

#include <string>
#include <vector>

namespace mindspeed::test {

struct ExampleCommand {
  std::string script;
  std::vector<std::string> words;  // quoted placeholders ("your data path") are one word again
};

// The commands of one entry point ("pretrain_gpt.py"). The recording lost the quotes of the scripts, so words
// that follow a flag are joined unless the flag takes a list; unexpanded shell variables give their default or are dropped.
std::vector<ExampleCommand> example_commands(const std::string& entry);

}  // namespace mindspeed::test
