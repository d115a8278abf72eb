#include "front/config/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/values.h"
#include "front/config/yaml_file.h"

namespace mindspeed {
namespace {

[[noreturn]] void refuse_unknown(const FieldTable& table, const std::string& spelling,
                                 const std::string& name) {
  for (const Command other : kCommands)
    if (FieldTable(other).find(name) != nullptr)
      refuse("command line", "{} belongs to another command ({})", spelling, command_name(other));
  const std::string nearest = table.nearest(name);
  refuse("command line", "unknown flag {}; {}", spelling,
         nearest.empty() ? std::string("`mindspeed help --all-flags` lists every flag")
                         : fmt::format("did you mean --{}?", nearest));
}

// The field of a spelling, also of --no-NAME for a switch.
GivenFlag identify(const FieldTable& table, const std::string& spelling) {
  const std::string name = canonical_name(spelling);
  if (const Field* field = table.find(name)) return {field, "--" + name, {}, false};
  if (name.starts_with("no-"))
    if (const Field* field = table.find(name.substr(3)); field != nullptr && field->type == FieldType::flag)
      return {field, "--" + name, {}, true};
  refuse_unknown(table, spelling, name);
}

// How many of the words after a flag are its values.
size_t count_values(const Field& field, std::span<const std::string> rest) {
  const auto is_flag = [](const std::string& word) { return word.starts_with("--") && word.size() > 2; };
  const auto end = std::find_if(rest.begin(), rest.end(), is_flag);
  const auto available = static_cast<size_t>(end - rest.begin());
  if (field.type == FieldType::list) return available;
  if (field.type != FieldType::flag) return std::min<size_t>(available, 1);
  return available > 0 && (rest[0] == "true" || rest[0] == "false") ? 1 : 0;
}

std::vector<std::string> checked(const GivenFlag& flag) {
  std::vector<std::string> words = check_words(*flag.field, flag.words, flag.spelling);
  if (flag.negated) words = {words[0] == "true" ? "false" : "true"};
  return words;
}

}  // namespace

std::vector<GivenFlag> split_command_line(const FieldTable& table, std::span<const std::string> words) {
  std::vector<GivenFlag> out;
  for (size_t i = 0; i < words.size();) {
    const std::string& word = words[i];
    if (!word.starts_with("--") || word.size() == 2) {
      const std::string after = out.empty() ? "" : fmt::format(" after {}", out.back().spelling);
      refuse("command line",
             "the word '{}'{} belongs to no flag; flags start with --, values with spaces need quotes", word,
             after);
    }
    const size_t equals = word.find('=');
    GivenFlag flag = identify(table, word.substr(0, equals));
    ++i;
    if (equals != std::string::npos) {
      flag.words = {word.substr(equals + 1)};
    } else {
      const size_t count = count_values(*flag.field, words.subspan(i));
      flag.words.assign(words.begin() + static_cast<long>(i), words.begin() + static_cast<long>(i + count));
      i += count;
    }
    out.push_back(std::move(flag));
  }
  return out;
}

Settings parse_settings(Command command, std::span<const std::string> words) {
  const FieldTable table(command);
  Settings settings(table);
  const std::vector<GivenFlag> flags = split_command_line(table, words);
  for (const GivenFlag& flag : flags)
    if (flag.field->name == "config") read_yaml_settings(checked(flag).at(0), settings);

  std::map<const Field*, std::vector<std::string>> seen;
  for (const GivenFlag& flag : flags) {
    std::vector<std::string> value = checked(flag);
    const auto [first, is_new] = seen.emplace(flag.field, value);
    if (!is_new && !same_value(*flag.field, first->second, value))
      refuse("command line", "--{} came twice, as '{}' and as '{}'; one value was needed", flag.field->name,
             join(first->second, " "), join(value, " "));
    if (is_new) settings.set({flag.field, std::move(value), Origin::command_line, flag.spelling});
  }
  return settings;
}

void require_no_refused(const Settings& settings) {
  for (const Setting* setting : settings.all_given())
    if (setting->field->disposition == Disposition::refused && !is_neutral(*setting->field, setting->words))
      refuse(setting->where, "'{}' came and cannot be honoured: {}", join(setting->words, " "),
             setting->field->reason);
}

}  // namespace mindspeed
