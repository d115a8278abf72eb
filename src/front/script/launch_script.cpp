#include "front/script/launch_script.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "front/base/error.h"

namespace mindspeed {
namespace {

bool is_python(const std::string& word) {
  const std::string name = word.substr(word.find_last_of('/') + 1);
  return name == "python" || name == "python3";
}

bool is_entry(const std::string& word) { return word.ends_with(".py") && !word.starts_with("-"); }

// Options of the launcher itself, '-' and '_' alike.
using Options = std::map<std::string, std::string>;

int whole(const Options& options, std::initializer_list<const char*> names, int otherwise,
          const std::string& where) {
  for (const char* name : names) {
    const auto found = options.find(name);
    if (found == options.end()) continue;
    int value = 0;
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1)
      refuse("import-script", "{}: --{} '{}' came; a number of at least 1 was needed", where, name, text);
    return value;
  }
  return otherwise;
}

void require_known(const ShellCommand& command, const std::string& file) {
  for (const std::string& word : command.words) {
    const std::string unknown = first_unknown(word);
    if (unknown.empty()) continue;
    if (unknown.starts_with("$(") || unknown.starts_with("`"))
      refuse("import-script",
             "{}:{}: the launch command needs {}, which only running it could tell; write its value there",
             file, command.line, unknown);
    refuse("import-script",
           "{}:{}: {} has no value in the script; give one: mindspeed import-script {} {}=VALUE", file,
           command.line, unknown, shell_quoted(file), unknown.substr(2, unknown.size() - 3));
  }
}

std::optional<ScriptLaunch> launch_of(const ShellCommand& command, const std::string& file) {
  const std::vector<std::string>& words = command.words;
  size_t at = 0;
  while (at < words.size() && (words[at] == "nohup" || words[at] == "exec" || words[at] == "time")) ++at;
  if (at == words.size()) return std::nullopt;
  ScriptLaunch launch;
  launch.line = command.line;
  const std::string program = words[at].substr(words[at].find_last_of('/') + 1);
  if (program != "torchrun" && program != "msrun" && !is_python(program)) return std::nullopt;
  launch.launcher = is_python(program) ? "python" : program;
  Options options;
  for (++at; at < words.size() && !is_entry(words[at]); ++at) {
    if (words[at] == "-m" && at + 1 < words.size() && words[at + 1].starts_with("torch.distributed.")) {
      launch.launcher = "python -m " + words[++at];
      continue;
    }
    if (!words[at].starts_with("--")) continue;
    std::string name = words[at].substr(2), value;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (at + 1 < words.size() && !words[at + 1].starts_with("-") && !is_entry(words[at + 1])) {
      value = words[++at];
    }
    std::replace(name.begin(), name.end(), '-', '_');
    options[name] = value;
  }
  if (at == words.size()) return std::nullopt;
  require_known(command, file);
  const std::string where = fmt::format("{}:{}", file, command.line);
  launch.ranks = whole(options, {"nproc_per_node", "local_worker_num"}, 1, where);
  launch.machines = whole(options, {"nnodes"}, 1, where);
  if (const int all = whole(options, {"worker_num"}, 0, where); all > launch.ranks)
    launch.machines = all / launch.ranks;
  launch.entry = words[at];
  launch.words.assign(words.begin() + static_cast<long>(at) + 1, words.end());
  return launch;
}

}  // namespace

std::vector<ScriptLaunch> find_launches(const ShellScript& script, const std::string& file) {
  std::vector<ScriptLaunch> out;
  for (const ShellCommand& command : script.commands)
    if (auto launch = launch_of(command, file)) out.push_back(std::move(*launch));
  if (out.empty())
    refuse("import-script", "{}: no launch was found; torchrun, msrun or python with a .py file was needed",
           file);
  return out;
}

}  // namespace mindspeed
