// Words of the user to checked values, the same for the command line and for files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/config/field.h"

namespace mindspeed {

// Whole-word numbers; nothing else may follow. Integers are decimal; reals accept 1e-5, .5, 12e-6 and no inf
// or nan.
std::optional<int64_t> parse_integer(std::string_view word);
std::optional<double> parse_real(std::string_view word);

// Checks type, range and choices. `where` names the place in the message ("--lr", "run.yaml:3: lr").
// Returns the words as they are kept (flags become "true" or "false"). Throws Error (exit 2).
std::vector<std::string> check_words(const Field& field, std::vector<std::string> words,
                                     std::string_view where);

// "an integer >= 1", "one of linear, cosine", ...
std::string needed(const Field& field);

// True if both mean the same value of the field (1e-5 and 0.00001 do).
bool same_value(const Field& field, const std::vector<std::string>& a, const std::vector<std::string>& b);

// True if a refused field has one of its neutral values.
bool is_neutral(const Field& field, const std::vector<std::string>& words);

}  // namespace mindspeed
