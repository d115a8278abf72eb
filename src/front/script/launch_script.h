// The training commands that a MindSpeed or Megatron launch script starts.
#pragma once

#include <string>
#include <vector>

#include "front/script/shell_reader.h"

namespace mindspeed {

struct ScriptLaunch {
  int line = 0;
  std::string launcher;  // "torchrun", "python -m torch.distributed.launch", "msrun" or "python"
  int ranks = 1;         // per machine
  int machines = 1;
  std::string entry;               // "pretrain_gpt.py", as it is written
  std::vector<std::string> words;  // its arguments
};

// In the order of the script. Throws Error (exit code 2, file:line) when there is none, and when a word of
// one holds something that only running the script could tell.
std::vector<ScriptLaunch> find_launches(const ShellScript& script, const std::string& file);

}  // namespace mindspeed
