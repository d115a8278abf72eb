// Small text helpers shared by messages and parsers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed {

// The candidate with the smallest edit distance to `word` (at most a third of its length), or empty.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// "1.5 GiB", "203 MB" style sizes for people.
std::string human_bytes(uint64_t bytes);
// "1h02m", "3m20s", "45s".
std::string human_seconds(double seconds);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);

// True and position past the end if all of `text` is valid UTF-8; else the byte offset of the first fault.
struct Utf8Check {
  bool valid;
  size_t offset;
};
Utf8Check check_utf8(std::string_view text);

// "[2, 3, 4]"
std::string format_shape(std::span<const int64_t> shape);

}  // namespace mindspeed
