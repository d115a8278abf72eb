// Errors that a user can act on, in one voice: "[op] what came; what was needed; how to fix it".
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace mindspeed {

// Process exit codes of the program.
enum ExitCode : int {
  kExitOk = 0,
  kExitFailure = 1,  // the work started and failed
  kExitUsage = 2,    // the request was refused before any work started
};

// A failure caused by input, configuration or environment. main() prints what() and exits with exit_code().
// Broken invariants of our own code throw std::logic_error instead.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, int exit_code = kExitFailure)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// Throws Error("[op] message") with exit code 1: reading or computing went wrong.
template <class... Args>
[[noreturn]] void fail(std::string_view op, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format("[{}] {}", op, fmt::format(format, std::forward<Args>(args)...)));
}

// Throws Error("[op] message") with exit code 2: a request that is refused before work starts.
template <class... Args>
[[noreturn]] void refuse(std::string_view op, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format("[{}] {}", op, fmt::format(format, std::forward<Args>(args)...)), kExitUsage);
}

}  // namespace mindspeed
