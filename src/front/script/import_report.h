// A launch of a script as our own command, and what becomes of its flags.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/config/field.h"
#include "front/script/launch_script.h"

namespace mindspeed {

// The words after `mindspeed` for sub-command `command`: on one machine `launch` starts the ranks, else the
// launcher of the cluster has to.
std::vector<std::string> our_words(const ScriptLaunch& launch, std::string_view command);

// The command to copy, then each flag with its disposition, unknown ones marked, and placeholders.
std::string import_report(const ScriptLaunch& launch, std::string_view command, std::optional<Command> flags,
                          const std::string& file);

}  // namespace mindspeed
