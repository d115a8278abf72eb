#include "apps/mindspeed/commands.h"

#include <algorithm>
#include <array>

#include "front/base/text.h"

namespace mindspeed::app {

std::span<const CommandRow> commands() {
  static constexpr std::array rows{
      CommandRow{"pretrain", "pretrain_gpt.py|pretrain_deepseek4.py", "train a language model on plain text",
                 run_pretrain, kPretrain},
      CommandRow{"launch", "", "start several ranks of a command on this machine", run_launch},
      CommandRow{"plan", "", "print the plan and the memory forecast of a pretrain command", run_plan,
                 kPretrain},
      CommandRow{"posttrain", "posttrain_gpt.py|rlhf_gpt.py", "not built yet: fine-tuning and alignment",
                 run_posttrain, kPretrain},
      CommandRow{"train", "train_fsdp2.py|inference_fsdp2.py",
                 "not built yet: MindSpeed's fully sharded back-end", run_train, kTrain},
      CommandRow{"preprocess", "preprocess_data.py", "turn text into .bin/.idx training data",
                 run_preprocess, kPreprocess},
      CommandRow{
          "convert",
          "convert_ckpt.py|convert_ckpt_v2.py|convert_ckpt_deepseek3.py|convert_ckpt_deepseek3_mcore2hf.py|"
          "deepseekv4_ckpt_dequant.py",
          "convert weights between formats", run_convert, kConvert},
      CommandRow{"generate", "inference.py|inference_deepseek4.py", "continue prompts", run_generate,
                 kGenerate},
      CommandRow{"chat", "", "talk to a model", run_chat, kGenerate},
      CommandRow{"evaluate", "evaluation.py", "not built yet: tasks that measure a model", run_evaluate,
                 kEvaluate},
      CommandRow{"download", "", "fetch a model from a hub into the cache of this machine", run_download,
                 kDownload},
      CommandRow{"doctor", "", "look for what is wrong with this machine, a run, a model, or the network",
                 run_doctor},
      CommandRow{"import-script", "", "a launch script of MindSpeed or Megatron as our command",
                 run_import_script},
      CommandRow{"models", "", "list model families and presets", run_models},
      CommandRow{"features", "", "list features and what they do", run_features},
      CommandRow{"completion", "", "print a completion script for bash", run_completion},
      CommandRow{"version", "", "print the version", run_version},
      CommandRow{"help", "", "this text; `help COMMAND`, `help FLAG`, `help --all-flags`", run_help},
  };
  return rows;
}

const CommandRow* find_command(std::string_view name) {
  const bool script = name.ends_with(".py");
  if (script) name.remove_prefix(name.find_last_of('/') + 1);  // npos + 1 = 0
  for (const CommandRow& row : commands()) {
    const std::vector<std::string> scripts = split(row.scripts, '|');
    if (script ? std::find(scripts.begin(), scripts.end(), name) != scripts.end() : row.name == name)
      return &row;
  }
  return nullptr;
}

}  // namespace mindspeed::app
