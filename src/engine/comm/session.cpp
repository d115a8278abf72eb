#include "engine/comm/session.h"

#include <arpa/inet.h>
#include <c10/util/Logging.h>
#include <fmt/ranges.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>

#include "engine/comm/failure.h"
#include "engine/comm/gloo_group.h"

namespace mindspeed {
namespace {

using c10::intrusive_ptr;
using std::chrono::milliseconds;

c10d::TCPStoreOptions store_options(const RankEnvironment& environment, milliseconds timeout, bool server) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(environment.master_port);
  options.isServer = server;
  options.waitWorkers = false;
  options.timeout = timeout;
  if (server && environment.listen_fd >= 0) options.masterListenFd = environment.listen_fd;
  return options;
}

intrusive_ptr<c10d::Store> open_store(const RankEnvironment& environment, milliseconds timeout, bool server) {
  try {
    auto tcp = c10::make_intrusive<c10d::TCPStore>(environment.master_address,
                                                   store_options(environment, timeout, server));
    return c10::make_intrusive<c10d::PrefixStore>(fmt::format("mindspeed/{}", environment.restart),
                                                  std::move(tcp));
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    fail("comm",
         "rank {} of {} (launcher: {}) could not {} the rendezvous store {}:{}: {}; check MASTER_ADDR and "
         "MASTER_PORT, and that the port is free on rank 0",
         environment.rank, environment.world, environment.launcher, server ? "open" : "reach",
         environment.master_address, environment.master_port, reason.substr(0, reason.find('\n')));
  }
}

// The address of this host on the route to `host`, or empty. Nothing is sent: a UDP connect only picks the
// route.
std::string address_towards(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  if (::getaddrinfo(host.c_str(), "9", &hints, &found) != 0) return "";
  std::string address;
  const int fd = ::socket(found->ai_family, SOCK_DGRAM, 0);
  sockaddr_storage local{};
  socklen_t length = sizeof local;
  if (fd >= 0 && ::connect(fd, found->ai_addr, found->ai_addrlen) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&local), &length) == 0) {
    char text[NI_MAXHOST] = {};
    if (::getnameinfo(reinterpret_cast<sockaddr*>(&local), length, text, sizeof text, nullptr, 0,
                      NI_NUMERICHOST) == 0)
      address = text;
  }
  if (fd >= 0) ::close(fd);
  ::freeaddrinfo(found);
  return address;
}

std::shared_ptr<gloo::transport::Device> make_device(const RankEnvironment& environment) {
  if (!environment.interface.empty())
    return c10d::ProcessGroupGloo::createDeviceForInterface(environment.interface);
  const std::string& master = environment.master_address;
  if (environment.local_world == environment.world || master == "localhost" || master.starts_with("127."))
    return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
  const std::string address = address_towards(environment.master_address);
  if (address.empty() || address.starts_with("127.") || address == "::1")
    fail(
        "comm",
        "MASTER_ADDR={} leads to the loopback address on rank {} although {} of {} ranks are on other hosts; "
        "use an address of the network between the hosts, or set GLOO_SOCKET_IFNAME",
        environment.master_address, environment.rank, environment.world - environment.local_world,
        environment.world);
  return c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

std::string store_name(const RankEnvironment& environment) {
  return fmt::format("{} (rendezvous store at {}:{})", environment.external_store ? "the launcher" : "rank 0",
                     environment.master_address, environment.master_port);
}

}  // namespace

Session::Session(const RankEnvironment& environment, const CommOptions& options)
    : environment_(environment), options_(options) {
  c10::initLogging();  // obeys TORCH_CPP_LOG_LEVEL: the launcher silences stack traces about sockets of dead
                       // ranks
  ::signal(SIGPIPE,
           SIG_IGN);  // Gloo writes to sockets of dead ranks: an error to report, not an end in silence
  const bool server = environment.rank == 0 && !environment.external_store;
  store_ = open_store(environment, options.timeout, server);
  device_ = make_device(environment);
  if (!options.watch) return;
  WatchOptions watch{environment.rank, environment.world, options.silence, server, store_name(environment)};
  auto connect = [environment, timeout = options.timeout] { return open_store(environment, timeout, false); };
  Watch::sign_in(*store_, environment.rank);
  watch_ = std::make_unique<Watch>(connect, watch);
}

Session::~Session() = default;

std::shared_ptr<Group> Session::group(const std::string& name, const std::vector<int>& ranks) {
  const auto position = std::find(ranks.begin(), ranks.end(), environment_.rank);
  if (position == ranks.end()) throw std::logic_error("a group is built only by its members");
  const int group_rank = static_cast<int>(position - ranks.begin());
  auto& backend = backends_[ranks];
  if (!backend) {
    auto options = c10d::ProcessGroupGloo::Options::create(options_.timeout);
    options->devices.push_back(device_);
    options->threads = 1;
    const std::string key = fmt::format("{}/{}", name, fmt::join(ranks, "."));
    auto prefix = c10::make_intrusive<c10d::PrefixStore>(key, store_);
    try {
      backend = c10::make_intrusive<c10d::ProcessGroupGloo>(prefix, group_rank,
                                                            static_cast<int>(ranks.size()), options);
    } catch (const std::exception& error) {
      backends_.erase(ranks);
      const std::string reason = error.what();
      throw CommError(fmt::format("group {} (ranks {}) could not be connected: {}", name,
                                  fmt::join(ranks, ", "), reason.substr(0, reason.find('\n'))));
    }
  }
  return gloo_group(name, ranks, group_rank, backend);
}

void Session::goodbye(Group& world) {
  if (std::exchange(left_, true)) return;
  world.barrier();
  if (watch_) watch_->stop();
  if (environment_.rank != 0) {
    store_->add("goodbye", 1);
    return;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (store_->add("goodbye", 0) < environment_.world - 1 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(milliseconds(2));
}

}  // namespace mindspeed
