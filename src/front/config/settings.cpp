#include "front/config/settings.h"

#include <algorithm>
#include <stdexcept>

#include "front/base/text.h"
#include "front/config/values.h"

namespace mindspeed {

Settings::Settings(const FieldTable& table) : table_(table) {
  for (const Field* field : table_.fields()) {
    Setting setting{.field = field, .words = {}, .origin = Origin::default_value, .where = "default"};
    if (field->type == FieldType::flag)
      setting.words = {"false"};
    else if (field->type == FieldType::list && !field->initial.empty())
      setting.words = split(field->initial, ' ');
    else if (!field->initial.empty())
      setting.words = {std::string(field->initial)};
    settings_.push_back(std::move(setting));
  }
}

bool Settings::reads(std::string_view name) const {
  return std::any_of(settings_.begin(), settings_.end(), [&](const Setting& s) { return s.field->name == name; });
}

const Setting& Settings::at(std::string_view name) const {
  for (const Setting& setting : settings_)
    if (setting.field->name == name) return setting;
  throw std::logic_error("settings: this command reads no field " + std::string(name));
}

void Settings::set(Setting setting) {
  for (Setting& mine : settings_)
    if (mine.field == setting.field) {
      mine = std::move(setting);
      return;
    }
  throw std::logic_error("settings: a value for a field of another table");
}

bool Settings::given(std::string_view name) const { return at(name).origin != Origin::default_value; }
bool Settings::has(std::string_view name) const { return !at(name).words.empty(); }

namespace {
// The only word of a setting of type `type`.
const std::string& only_word(const Setting& setting, FieldType type) {
  if (setting.field->type != type || setting.words.size() != 1)
    throw std::logic_error("settings: " + std::string(setting.field->name) + " is not one " +
                           std::string(to_string(type)) + " here");
  return setting.words[0];
}
}  // namespace

bool Settings::flag(std::string_view name) const { return only_word(at(name), FieldType::flag) == "true"; }

int64_t Settings::integer(std::string_view name) const {
  return *parse_integer(only_word(at(name), FieldType::integer));
}

double Settings::real(std::string_view name) const {
  return *parse_real(only_word(at(name), FieldType::real));
}

std::string Settings::text(std::string_view name) const {
  return has(name) ? only_word(at(name), FieldType::text) : std::string();
}

std::vector<std::string> Settings::list(std::string_view name) const {
  const Setting& setting = at(name);
  if (setting.field->type != FieldType::list)
    throw std::logic_error("settings: " + std::string(name) + " is not a list");
  return setting.words;
}

std::vector<const Setting*> Settings::all_given() const {
  std::vector<const Setting*> out;
  for (const Setting& setting : settings_)
    if (setting.origin != Origin::default_value) out.push_back(&setting);
  return out;
}

std::map<std::string, std::string> Settings::resolved() const {
  std::map<std::string, std::string> out;
  for (const Setting& setting : settings_)
    if (!setting.words.empty()) out[std::string(setting.field->name)] = join(setting.words, " ");
  return out;
}

}  // namespace mindspeed
