// `mindspeed import-script FILE.sh [NAME=VALUE ...] [--run]`: a launch script of MindSpeed or Megatron as our
// command.
#include <fmt/format.h>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/base/file.h"
#include "front/script/import_report.h"

namespace mindspeed::app {
namespace {

constexpr const char* kUsage = "usage: mindspeed import-script FILE.sh [NAME=VALUE ...] [--run]";

struct Request {
  std::string file;
  std::map<std::string, std::string> given;
  bool run = false;
};

Request request_of(const std::vector<std::string>& words) {
  Request request;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (word == "--run")
      request.run = true;
    else if (word.starts_with("-"))
      refuse("import-script", "unknown flag '{}'; {}", word, kUsage);
    else if (request.file.empty())
      request.file = word;
    else if (equals != std::string::npos && equals > 0)
      request.given[word.substr(0, equals)] = word.substr(equals + 1);
    else
      refuse("import-script", "'{}' came; {}", word, kUsage);
  }
  if (request.file.empty()) refuse("import-script", "no file came; {}", kUsage);
  return request;
}

}  // namespace

int run_import_script(const Invocation& invocation) {
  const Request request = request_of(invocation.words);
  const ShellScript script = read_shell(read_file(request.file), request.file, request.given);
  const std::vector<ScriptLaunch> launches = find_launches(script, request.file);
  std::vector<std::string> to_run;
  for (const ScriptLaunch& launch : launches) {
    const CommandRow* command = find_command(launch.entry);
    if (command == nullptr)
      refuse("import-script", "{}:{}: {} has no counterpart here; `mindspeed help` lists the commands",
             request.file, launch.line, launch.entry);
    if (request.run)
      to_run = our_words(launch, command->name);
    else
      fmt::print("{}", import_report(launch, command->name, command->flags, request.file));
  }
  if (!request.run) return 0;
  if (launches.size() > 1) refuse("--run", "{} launches came; the script must have one", launches.size());
  if (launches.front().machines > 1)
    refuse("--run", "the script is for {} machines; start the printed command there",
           launches.front().machines);
  const CommandRow* first = find_command(to_run.front());
  return first->run({{to_run.begin() + 1, to_run.end()}, invocation.environment});
}

}  // namespace mindspeed::app
