// `mindspeed help`, `help COMMAND [--all-flags]`, `help FLAG`.
#include "front/config/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/mindspeed/commands.h"
#include "front/base/text.h"
#include "front/launch/supervisor.h"

namespace mindspeed::app {
namespace {

void print_overview() {
  fmt::print("mindspeed: pre-train, convert and run language models\n\nusage: mindspeed COMMAND [FLAGS]\n\n");
  for (const CommandRow& row : commands())
    fmt::print("  {:<14} {}{}\n", row.name, row.summary,
               row.scripts.empty() ? "" : fmt::format(" (also: {})", split(row.scripts, '|').front()));
  fmt::print(
      "\nA first run, no files needed:\n"
      "  mindspeed pretrain --preset debug --mock-data --train-iters 20 --lr 1e-3 --seq-length 64 "
      "--log-interval 1\n");
}

}  // namespace

int run_help(const Invocation& invocation) {
  std::vector<std::string> words = invocation.words;
  std::erase_if(words, [](const std::string& word) { return word == "--help" || word == "-h"; });
  const bool all = std::erase(words, "--all-flags") > 0;
  if (words.empty() && !all) {
    print_overview();
    return 0;
  }
  if (words.empty()) {
    fmt::print("{}", help_of_all_flags());
    return 0;
  }
  const std::string& topic = words[0];
  const CommandRow* command = find_command(topic);
  if (command == nullptr) {
    fmt::print("{}", help_of_flag(topic));
    return 0;
  }
  if (command->name == "launch") {
    fmt::print("{}", kLaunchUsage);
    return 0;
  }
  fmt::print("mindspeed {}: {}\n", command->name, command->summary);
  if (command->flags) fmt::print("{}", help_of_command(*command->flags, all));
  return 0;
}

}  // namespace mindspeed::app
