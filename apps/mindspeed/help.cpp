// `mindspeed help`, `help COMMAND [--all-flags]`, `help FLAG`.
#include "front/config/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/mindspeed/commands.h"
#include "front/launch/supervisor.h"

namespace mindspeed::app {
namespace {

std::optional<Command> flags_of(std::string_view command) {
  if (command == "pretrain" || command == "plan") return kPretrain;
  if (command == "generate" || command == "chat") return kGenerate;
  if (command == "preprocess") return kPreprocess;
  if (command == "convert") return kConvert;
  if (command == "train") return kTrain;
  return std::nullopt;
}

void print_overview() {
  fmt::print("mindspeed: pre-train, convert and run language models\n\nusage: mindspeed COMMAND [FLAGS]\n\n");
  for (const CommandRow& row : commands())
    fmt::print("  {:<12} {}{}\n", row.name, row.summary,
               row.alias.empty() ? "" : fmt::format(" (also: {})", row.alias));
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
  const std::string topic = words.empty() ? "pretrain" : words[0];
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
  if (const auto flags = flags_of(command->name)) fmt::print("{}", help_of_command(*flags, all));
  return 0;
}

}  // namespace mindspeed::app
