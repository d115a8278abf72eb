// Words for refusals about numbers that do not divide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mindspeed::feature {

// Divisors of n, rising.
std::vector<int64_t> divisors(int64_t n);

// "1, 2, 4, 7, 14, 28"
std::string list_of(const std::vector<int64_t>& numbers);

// The legal divisors of `n`, as text.
inline std::string divisor_list(int64_t n) { return list_of(divisors(n)); }

}  // namespace mindspeed::feature
