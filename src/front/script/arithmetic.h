// $((...)) of the shell: + - * / % and brackets on integers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mindspeed {

// `value_of` gives the text of a variable. Nothing when the expression is not of this kind, divides by zero
// or overflows.
std::optional<int64_t> shell_arithmetic(std::string_view text,
                                        const std::function<std::string(const std::string&)>& value_of);

}  // namespace mindspeed
