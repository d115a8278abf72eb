// Progress and status lines of the program. Results go to stdout, everything else to stderr.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace mindspeed {

enum class LogLevel { debug, info, warning, error };

// One line on stderr; only rank 0 prints info lines unless told otherwise (see set_log_rank).
void log_line(LogLevel level, std::string_view message);

// Which rank this process is; ranks > 0 print warnings and errors only, prefixed with "[rank r]".
void set_log_rank(int rank);

template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace mindspeed
