// Settings in YAML: the keys are the names of the field table, at top level or under the name of their group.
#pragma once

#include <filesystem>
#include <string>

#include "front/config/settings.h"

namespace mindspeed {

// Sets every field that the file gives. Throws Error (exit 2) with "file:line" for an unknown key (with the
// nearest name), a key under the wrong group, a key that comes twice, or a bad value.
void read_yaml_settings(const std::filesystem::path& path, Settings& settings);

// The given settings as YAML that read_yaml_settings reads back, grouped; with `all`, defaults too.
std::string to_yaml(const Settings& settings, bool all = false);

}  // namespace mindspeed
