#include "front/config/yaml_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"
#include "front/config/values.h"

namespace mindspeed {
namespace {

class YamlReader {
 public:
  YamlReader(std::string file, Settings& settings) : file_(std::move(file)), settings_(settings) {}

  void read_map(const YAML::Node& map, const FieldGroup* group) {
    for (const auto& entry : map) {
      const std::string key = entry.first.Scalar();
      const std::string where = fmt::format("{}:{}: {}", file_, entry.first.Mark().line + 1, key);
      const FieldGroup* section = find_group(key);
      if (group == nullptr && entry.second.IsMap() && section != nullptr) {
        if (!sections_.insert(key).second) refuse(where, "this section came twice; one was needed");
        read_map(entry.second, section);
      } else {
        read_entry(key, entry.second, where, group);
      }
    }
  }

 private:
  static const FieldGroup* find_group(std::string_view name) {
    for (const FieldGroup& group : field_groups())
      if (group.name == name) return &group;
    return nullptr;
  }

  void read_entry(const std::string& key, const YAML::Node& value, const std::string& where,
                  const FieldGroup* group) {
    const Field* field = settings_.table().find(canonical_name(key));
    if (field == nullptr) {
      const std::string nearest = settings_.table().nearest(canonical_name(key));
      refuse(where, "unknown key; {}",
             nearest.empty() ? std::string("`mindspeed help --all-flags` lists every key")
                             : fmt::format("did you mean {}?", nearest));
    }
    const FieldGroup& home = settings_.table().group_of(*field);
    if (group != nullptr && group->name != home.name)
      refuse(where, "this key came under '{}'; it belongs under '{}' or at top level", group->name,
             home.name);
    if (field->name == "config") refuse(where, "a settings file cannot name another one");
    if (!seen_.insert(field).second) refuse(where, "this key came twice; one value was needed");
    settings_.set({field, check_words(*field, words(*field, value, where), where), Origin::file, where});
  }

  static std::vector<std::string> words(const Field& field, const YAML::Node& value,
                                        const std::string& where) {
    if (value.IsScalar()) {
      if (field.type != FieldType::list || value.Tag() == "!") return {value.Scalar()};
      std::vector<std::string> out = split(value.Scalar(), ' ');
      std::erase(out, "");
      return out;
    }
    if (!value.IsSequence() || field.type != FieldType::list)
      refuse(where, "a {} came; {} was needed",
             value.IsMap()        ? "section"
             : value.IsSequence() ? "list"
                                  : "null",
             needed(field));
    std::vector<std::string> out;
    for (const YAML::Node& item : value) {
      if (!item.IsScalar()) refuse(where, "a nested list or section came; a list of words was needed");
      out.push_back(item.Scalar());
    }
    return out;
  }

  std::string file_;
  Settings& settings_;
  std::set<const Field*> seen_;
  std::set<std::string> sections_;
};

std::string yaml_word(std::string_view word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '/' || c == '_' || c == '-' || c == '+';
  });
  if (plain && word.front() != '-') return std::string(word);
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string yaml_value(const Setting& setting) {
  if (setting.field->type == FieldType::integer || setting.field->type == FieldType::real)
    return setting.words[0];
  if (setting.field->type != FieldType::list) return yaml_word(setting.words[0]);
  std::vector<std::string> items;
  for (const std::string& word : setting.words) items.push_back(yaml_word(word));
  return fmt::format("[{}]", join(items, ", "));
}

// What to do with the settings rather than one of them.
bool is_action(const Field& field) {
  return field.name == "config" || field.name == "save-config" || field.name == "dry-run" ||
         field.name == "print-config";
}

}  // namespace

void read_yaml_settings(const std::filesystem::path& path, Settings& settings) {
  if (!std::filesystem::exists(path))
    refuse("--config", "'{}' does not exist; a YAML file was needed", path.string());
  const std::string text = read_file(path);
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& e) {
    refuse(path.string(), "line {}: {}; valid YAML was needed", e.mark.line + 1, e.msg);
  }
  if (root.IsNull()) return;
  if (!root.IsMap()) refuse(path.string(), "the file is not a map; lines like `lr: 1e-5` were needed");
  YamlReader(path.string(), settings).read_map(root, nullptr);
}

std::string to_yaml(const Settings& settings, bool all) {
  std::string out;
  const FieldGroup* current = nullptr;
  for (const Field* field : settings.table().fields()) {
    const Setting& setting = settings.at(field->name);
    const bool wanted = setting.origin != Origin::default_value || (all && field->reason.empty());
    if (!wanted || setting.words.empty() || is_action(*field)) continue;
    const FieldGroup& group = settings.table().group_of(*field);
    if (&group != current) {
      out += fmt::format("{}# {}\n", out.empty() ? "" : "\n", group.title);
      current = &group;
    }
    out += fmt::format("{}: {}\n", field->name, yaml_value(setting));
  }
  return out;
}

}  // namespace mindspeed
