#include "front/config/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/values.h"

namespace mindspeed {
namespace {

std::string usage(const Field& field) {
  const std::string name = fmt::format("--{}", field.name);
  switch (field.type) {
    case FieldType::flag:
      return name;
    case FieldType::integer:
      return name + " N";
    case FieldType::real:
      return name + " X";
    case FieldType::text:
      return name + " TEXT";
    case FieldType::list:
      return name + " WORD...";
  }
  return name;
}

std::string row(const Field& field) {
  std::string text(field.help);
  if (!field.choices.empty() && field.choices.size() < 60)
    text += fmt::format(" ({})", join(split(field.choices, '|'), ", "));
  if (!field.initial.empty()) text += fmt::format(" [{}]", field.initial);
  if (field.disposition != Disposition::implemented)
    text += fmt::format(" <{}{}{}>", to_string(field.disposition), field.reason.empty() ? "" : ": ",
                        field.reason);
  return fmt::format("  {:<38} {}\n", usage(field), text);
}

}  // namespace

std::string help_of_command(Command command, bool all) {
  std::string out;
  size_t hidden = 0;
  std::vector<const FieldGroup*> groups;
  for (const FieldGroup& group : field_groups())
    if ((group.commands & command) != 0) groups.push_back(&group);
  // What only this command has comes first.
  std::stable_partition(groups.begin(), groups.end(),
                        [&](const FieldGroup* g) { return g->commands == command; });
  for (const FieldGroup* at : groups) {
    const FieldGroup& group = *at;
    std::string rows;
    for (const Field& field : group.fields) {
      if (all || field.disposition == Disposition::implemented)
        rows += row(field);
      else
        ++hidden;
    }
    if (!rows.empty()) out += fmt::format("\n{}:\n{}", group.title, rows);
  }
  if (hidden > 0)
    out += fmt::format(
        "\n{} more flags are known and are equivalent, without effect here, or refused with a reason:\n"
        "  mindspeed help --all-flags    mindspeed help FLAG\n",
        hidden);
  return out;
}

std::string help_of_all_flags() {
  std::string out;
  for (const FieldGroup& group : field_groups()) {
    std::vector<std::string> readers;
    for (const Command command : kCommands)
      if ((group.commands & command) != 0) readers.emplace_back(command_name(command));
    out += fmt::format("\n{} ({}):\n", group.title, join(readers, ", "));
    for (const Field& field : group.fields) out += row(field);
  }
  return out;
}

std::string help_of_flag(std::string_view name) {
  const std::string wanted = canonical_name(name);
  std::string out;
  const Field* last = nullptr;
  std::vector<std::string> names;
  for (const Command command : kCommands) {
    const FieldTable table(command);
    const Field* field = table.find(wanted);
    if (field == nullptr) {
      for (const Field* other : table.fields()) names.emplace_back(other->name);
      continue;
    }
    if (field == last) continue;  // the same row, read by several commands
    last = field;
    out += fmt::format("{}  ({})\n  {}\n", usage(*field), command_name(command), field->help);
    out += fmt::format("  takes: {}\n  default: {}\n", needed(*field),
                       field->initial.empty() ? "not set" : field->initial);
    if (!field->aliases.empty())
      out += fmt::format("  also: --{}\n", join(split(field->aliases, '|'), ", --"));
    out += fmt::format("  {}{}{}\n", to_string(field->disposition), field->reason.empty() ? "" : ": ",
                       field->reason);
  }
  if (out.empty()) {
    const std::string nearest = nearest_name(wanted, names);
    refuse("help", "unknown flag '{}'{}", name,
           nearest.empty() ? "" : fmt::format("; did you mean --{}?", nearest));
  }
  return out;
}

std::vector<std::string> flag_words(Command command) {
  std::vector<std::string> out;
  const FieldTable table(command);
  for (const Field* field : table.fields()) out.push_back(fmt::format("--{}", field->name));
  return out;
}

std::string settings_table(const Settings& settings, bool all) {
  std::string out;
  for (const Field* field : settings.table().fields()) {
    const Setting& setting = settings.at(field->name);
    const bool given = setting.origin != Origin::default_value;
    if (setting.words.empty() || (!given && (!all || !field->reason.empty()))) continue;
    const std::string origin = !given                           ? "default"
                               : setting.origin == Origin::file ? setting.where
                                                                : "command line";
    out += fmt::format("  {:<40} {:<40} {}\n", field->name, join(setting.words, " "), origin);
  }
  return out;
}

std::string disposition_notes(const Settings& settings) {
  std::string out;
  std::vector<std::string> tuning;
  for (const Setting* setting : settings.all_given()) {
    if (setting->field->disposition == Disposition::equivalent)
      out += fmt::format("  --{}: {}\n", setting->field->name, setting->field->reason);
    if (setting->field->disposition == Disposition::tuning_only)
      tuning.push_back(fmt::format("--{}", setting->field->name));
  }
  if (!tuning.empty()) out += fmt::format("  no effect on cpu: {}\n", join(tuning, " "));
  return out;
}

}  // namespace mindspeed
