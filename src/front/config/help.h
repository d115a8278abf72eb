// Help and start-up texts made from the field table.
#pragma once

#include <string>
#include <string_view>

#include "front/config/settings.h"

namespace mindspeed {

// The fields of one command by group; with `all`, also those that are not implemented.
std::string help_of_command(Command command, bool all);

// Every flag of every command with its disposition and reason, by group.
std::string help_of_all_flags();

// Everything about one flag in every command that reads it. Throws Error with the nearest name.
std::string help_of_flag(std::string_view name);

// Names of the flags of a command with their dashes, for completion.
std::vector<std::string> flag_words(Command command);

// Table of what was given: name, value, origin; with `all`, every implemented field.
std::string settings_table(const Settings& settings, bool all);

// Lines that say once what happens to given flags that are not plainly implemented: equivalents with their
// reason, and one line with all tuning-only flags ("no effect on cpu"). Empty if there are none.
std::string disposition_notes(const Settings& settings);

}  // namespace mindspeed
