#include "apps/mindspeed/commands.h"

#include <array>

namespace mindspeed::app {

std::span<const CommandRow> commands() {
  static constexpr std::array rows{
      CommandRow{"pretrain", "pretrain_gpt.py", "train a language model on plain text", run_pretrain},
      CommandRow{"launch", "", "start several ranks of a command on this machine", run_launch},
      CommandRow{"plan", "", "print the plan and the memory forecast of a pretrain command", run_plan},
      CommandRow{"train", "train_fsdp2.py", "not built yet: MindSpeed's fully sharded back-end", run_train},
      CommandRow{"preprocess", "preprocess_data.py", "turn text into .bin/.idx training data",
                 [](const Invocation& i) { return preprocess_command(i.words); }},
      CommandRow{"convert", "convert_ckpt_v2.py", "convert weights between formats",
                 [](const Invocation& i) { return convert_command(i.words); }},
      CommandRow{"generate", "inference.py", "continue prompts", run_generate},
      CommandRow{"chat", "", "talk to a model", run_chat},
      CommandRow{"models", "", "list model families and presets", run_models},
      CommandRow{"features", "", "list features and what they do", run_features},
      CommandRow{"completion", "", "print a completion script for bash", run_completion},
      CommandRow{"version", "", "print the version", run_version},
      CommandRow{"help", "", "this text; `help COMMAND`, `help FLAG`, `help --all-flags`", run_help},
  };
  return rows;
}

const CommandRow* find_command(std::string_view name) {
  for (const CommandRow& row : commands())
    if (row.name == name || (!row.alias.empty() && row.alias == name)) return &row;
  return nullptr;
}

}  // namespace mindspeed::app
