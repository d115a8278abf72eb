// Jobs of MindSpeed that are not built yet. Their flags are read all the same, so that a script hears first
// what is wrong with them, and then the reason.
#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/config/command_line.h"

namespace mindspeed::app {

int run_posttrain(const Invocation& invocation) {
  require_no_refused(parse_settings(kPretrain, invocation.words));
  refuse("posttrain",
         "fine-tuning and alignment are not built yet; `mindspeed pretrain` trains on plain text");
}

int run_evaluate(const Invocation& invocation) {
  require_no_refused(parse_settings(kEvaluate, invocation.words));
  refuse("evaluate",
         "evaluation tasks are not built yet; `mindspeed pretrain --skip-train` measures held-out loss");
}

int run_train(const Invocation& invocation) {
  std::vector<std::string> words = invocation.words;
  // MindSpeed's own YAML file comes first, without a flag.
  if (!words.empty() && (words[0].ends_with(".yaml") || words[0].ends_with(".yml")))
    words.erase(words.begin());
  require_no_refused(parse_settings(kTrain, words));
  refuse("train", "the fully sharded back-end is not built yet; use `mindspeed pretrain`");
}

}  // namespace mindspeed::app
