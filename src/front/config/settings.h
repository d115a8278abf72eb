// The resolved settings of one command: every field with its value and where the value came from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "front/config/field.h"

namespace mindspeed {

enum class Origin { default_value, file, command_line };

struct Setting {
  const Field* field = nullptr;
  std::vector<std::string> words;  // empty = not set; flags hold "true" or "false"
  Origin origin = Origin::default_value;
  std::string where;  // "--lr" or "run.yaml:12", for messages
};

// Values are checked (type, range, choices) before they get here, so reading them cannot fail on user input.
// Asking for a field that the command does not read, or with the wrong type, is a std::logic_error.
class Settings {
 public:
  explicit Settings(const FieldTable& table);

  // True if the command reads a field of that name.
  bool reads(std::string_view name) const;
  // True if the command line or a file set it.
  bool given(std::string_view name) const;
  // True if it has a value, given or default.
  bool has(std::string_view name) const;

  bool flag(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  int64_t integer_or(std::string_view name, int64_t otherwise) const {
    return has(name) ? integer(name) : otherwise;
  }
  double real(std::string_view name) const;
  double real_or(std::string_view name, double otherwise) const { return has(name) ? real(name) : otherwise; }
  std::string text(std::string_view name) const;  // "" when not set
  std::vector<std::string> list(std::string_view name) const;

  const Setting& at(std::string_view name) const;
  // Fields that were given, in table order.
  std::vector<const Setting*> all_given() const;
  // Every field that has a value, with the words joined by spaces.
  std::map<std::string, std::string> resolved() const;
  const FieldTable& table() const { return table_; }

  // Takes a checked value; the parsers call this (values.h checks).
  void set(Setting setting);

 private:
  FieldTable table_;
  std::vector<Setting> settings_;  // in the order of table_.fields()
};

}  // namespace mindspeed
