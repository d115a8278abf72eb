#include "front/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace mindspeed {
namespace {

// The one process-wide object of the front half: spdlog's logger, which writes bare lines to stderr.
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("mindspeed",
                                                 std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%v");
    made->flush_on(spdlog::level::debug);
    return made;
  }();
  return *instance;
}

}  // namespace

void log_line(LogLevel level, std::string_view message) {
  switch (level) {
    case LogLevel::debug:
      logger().debug(message);
      return;
    case LogLevel::info:
      logger().info(message);
      return;
    case LogLevel::warning:
      logger().warn("warning: {}", message);
      return;
    case LogLevel::error:
      logger().error("error: {}", message);
      return;
  }
}

void set_log_rank(int rank) {
  logger().set_pattern(rank == 0 ? "%v" : fmt::format("[rank {}] %v", rank));
  logger().set_level(rank == 0 ? spdlog::level::info : spdlog::level::warn);
}

}  // namespace mindspeed
