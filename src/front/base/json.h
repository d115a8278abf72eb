// JSON reading with errors that name file, line and key. Wraps nlohmann-json.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace mindspeed {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keeps the order of keys, for files that are written back

// Parses text; `origin` (a path or description) is named in errors. Duplicate keys are an error.
Json parse_json(std::string_view text, std::string_view origin);
OrderedJson parse_ordered_json(std::string_view text, std::string_view origin);

// Reads and parses a file.
Json read_json(const std::filesystem::path& path);

}  // namespace mindspeed
