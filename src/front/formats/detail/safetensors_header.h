// The JSON header of a safetensors file as data: parsing with every check, and printing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/formats/safetensors.h"

namespace mindspeed::safetensors {

inline constexpr uint64_t kMaxHeader = 100'000'000;  // limit of the reference library
inline constexpr std::string_view kMetadataKey = "__metadata__";

struct Header {
  std::vector<SafetensorsEntry> entries;  // sorted by offset
  SafetensorsMetadata metadata;
};

// Parses `text`; the file's data section has `data_bytes` bytes. `origin` is named in errors (Error).
Header parse_header(std::string_view text, uint64_t data_bytes, std::string_view origin);

// Compact JSON in the order of `entries`, padded with spaces to a multiple of 8 bytes.
std::string print_header(const std::vector<SafetensorsEntry>& entries, const SafetensorsMetadata& metadata);

}  // namespace mindspeed::safetensors
