#include "front/script/import_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "front/base/text.h"
#include "front/config/settings.h"
#include "front/config/values.h"

namespace mindspeed {
namespace {

std::string command_text(const std::vector<std::string>& words) {
  std::string out = "mindspeed";
  for (const std::string& word : words)
    out += (word.starts_with("--") && word != "--" ? " \\\n    " : " ") + shell_quoted(word);
  return out + "\n";
}

// Each flag once: what becomes of it here. Counts those that are unknown.
std::string flags_text(const ScriptLaunch& launch, Command command, size_t& unknown) {
  const FieldTable table(command);
  std::vector<std::string> names, seen;
  for (const Field* field : table.fields()) names.emplace_back(field->name);
  std::string out;
  for (const std::string& word : launch.words) {
    if (!word.starts_with("--") || std::find(seen.begin(), seen.end(), word) != seen.end()) continue;
    seen.push_back(word);
    const std::string name =
        canonical_name(word.substr(2, word.find('=') == std::string::npos ? word.npos : word.find('=') - 2));
    const Field* field = table.find(name);
    std::string fate;
    if (field == nullptr) {
      ++unknown;
      const std::string nearest = nearest_name(name, names);
      fate = "UNKNOWN" + (nearest.empty() ? "" : fmt::format(" (did you mean --{}?)", nearest));
    } else {
      fate = std::string(to_string(field->disposition)) +
             (field->reason.empty() ? "" : fmt::format(": {}", field->reason));
    }
    out += fmt::format("  {:<42} {}\n", word, fate);
  }
  return out;
}

}  // namespace

std::vector<std::string> our_words(const ScriptLaunch& launch, std::string_view command) {
  std::vector<std::string> words;
  if (launch.ranks > 1 && launch.machines == 1 && command == "pretrain")
    words = {"launch", "--nproc", fmt::format("{}", launch.ranks), "--"};
  words.emplace_back(command);
  words.insert(words.end(), launch.words.begin(), launch.words.end());
  return words;
}

std::string import_report(const ScriptLaunch& launch, std::string_view command, std::optional<Command> flags,
                          const std::string& file) {
  std::string out = fmt::format("{}:{}: {} starts {} on {} x {} ranks; here:\n\n", file, launch.line,
                                launch.launcher, launch.entry, launch.machines, launch.ranks);
  if (launch.machines > 1)
    out +=
        "# on every machine, by the launcher of your cluster (torchrun --no-python, srun, mpirun), once per "
        "rank\n";
  out += command_text(our_words(launch, command));
  size_t unknown = 0;
  if (flags) out += "\nFlags:\n" + flags_text(launch, *flags, unknown);
  if (unknown > 0)
    out += fmt::format("{} flags are unknown here; the command above is refused as long as it names them.\n",
                       unknown);
  for (const std::string& word : launch.words)
    if (word.starts_with("your ") || word.starts_with("Your "))
      out += fmt::format("Placeholder: '{}'\n", word);
  return out;
}

}  // namespace mindspeed
