// The command line: words to settings.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "front/config/settings.h"

namespace mindspeed {

// One "--name value ..." of the user, not yet checked.
struct GivenFlag {
  const Field* field = nullptr;
  std::string spelling;  // "--lr"
  std::vector<std::string> words;
  bool negated = false;  // --no-NAME of a switch NAME
};

// Splits words into flags: `--name value`, `--name=value`, several values for list fields, `--no-name` for
// switches,
// '_' for '-'. A value may start with one dash (-1), not with two. Throws Error (exit 2) for an unknown flag
// (with the nearest name), a missing value, or a word that belongs to no flag.
std::vector<GivenFlag> split_command_line(const FieldTable& table, std::span<const std::string> words);

// Checked settings: command line > --config FILE > defaults. The same flag twice with different values is an
// error. Throws Error (exit 2).
Settings parse_settings(Command command, std::span<const std::string> words);

// Stops with the reason if a refused field was given a value that is not neutral.
void require_no_refused(const Settings& settings);

}  // namespace mindspeed
