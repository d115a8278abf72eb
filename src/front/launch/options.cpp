#include <sched.h>

#include <algorithm>
#include <charconv>

#include "front/base/error.h"
#include "front/launch/supervisor.h"

namespace mindspeed {
namespace {

constexpr int kMostRanks = 1024;  // per host: three files and a process each

int whole_number(const std::string& option, const std::string& text, int least) {
  int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < least)
    refuse("launch", "{} '{}'; a whole number of at least {} was needed", option, text, least);
  return value;
}

}  // namespace

LaunchOptions parse_launch(std::span<const std::string> arguments) {
  LaunchOptions options;
  options.ranks = 0;
  size_t i = 0;
  for (; i < arguments.size() && arguments[i] != "--"; ++i) {
    std::string name = arguments[i], value;
    const size_t equals = name.find('=');
    if (name != "--nproc" && name != "--max-restarts" && equals == std::string::npos)
      refuse("launch",
             "unknown argument '{}'; --nproc N and --max-restarts K are known, the command of the ranks "
             "follows after --",
             name);
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (++i < arguments.size()) {
      value = arguments[i];
    }
    if (name == "--nproc") {
      const int ranks = whole_number(name, value, 1);
      if (options.ranks != 0 && options.ranks != ranks)
        refuse("launch", "--nproc came twice, as {} and as {}", options.ranks, ranks);
      options.ranks = ranks;
    } else if (name == "--max-restarts")
      options.max_restarts = whole_number(name, value, 0);
    else
      refuse("launch", "unknown argument '{}'; --nproc N and --max-restarts K are known", name);
  }
  if (options.ranks > kMostRanks)
    refuse("launch", "--nproc {}; one host takes 1 to {} ranks", options.ranks, kMostRanks);
  if (options.ranks == 0)
    refuse("launch", "--nproc is missing; how many ranks are to be started?\n{}", kLaunchUsage);
  if (i + 1 >= arguments.size())
    refuse("launch",
           "no command; put `--` and the command of the ranks at the end, e.g. -- pretrain --preset debug");
  if (arguments[i + 1] != "pretrain")
    refuse("launch", "'{}' is not a command of many ranks; pretrain is", arguments[i + 1]);
  options.arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
  return options;
}

EnvironmentMap rank_variables(const LaunchOptions& options, int rank, int port, int restart, int cores) {
  EnvironmentMap map = options.environment;
  const std::string world = std::to_string(options.ranks);
  map["RANK"] = map["LOCAL_RANK"] = std::to_string(rank);
  map["WORLD_SIZE"] = map["LOCAL_WORLD_SIZE"] = world;
  map["MASTER_ADDR"] = "127.0.0.1";
  map["MASTER_PORT"] = std::to_string(port);
  map["TORCHELASTIC_RESTART_COUNT"] = std::to_string(restart);
  map.erase("TORCHELASTIC_USE_AGENT_STORE");
  map.emplace("OMP_NUM_THREADS", std::to_string(std::max(1, cores / options.ranks)));
  map.emplace("TORCH_CPP_LOG_LEVEL", "ERROR");  // libtorch's warnings about sockets of ranks that died
  return map;
}

}  // namespace mindspeed
