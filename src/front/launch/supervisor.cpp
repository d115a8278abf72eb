#include "front/launch/supervisor.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/launch/rank_process.h"

namespace mindspeed {
namespace {

using Clock = std::chrono::steady_clock;

// A listening socket on a free port of this host. Rank 0 inherits it, so nobody can take the port in between.
class Listener {
 public:
  Listener() {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (fd_ < 0 || ::bind(fd_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        ::listen(fd_, 1024) != 0 || ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      fail("launch", "no free port on the loopback interface: {}", std::strerror(errno));
    port_ = ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(fd_); }
  int fd() const { return fd_; }
  int port() const { return port_; }

 private:
  int fd_ = -1, port_ = 0;
};

// Turns signals into something to poll, for as long as it lives.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set_, number);
    sigprocmask(SIG_BLOCK, &set_, &before_);
    fd_ = ::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    ::close(fd_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  int fd() const { return fd_; }
  // The next signal to pass on, if any; SIGCHLD only wakes us.
  std::optional<int> next() const {
    signalfd_siginfo info{};
    while (::read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo != SIGCHLD) return static_cast<int>(info.ssi_signo);
    return std::nullopt;
  }

 private:
  sigset_t set_{}, before_{};
  int fd_ = -1;
};

struct Failure {
  int rank = 0;
  int exit_code = 0;
};

// One attempt: all ranks from start to end.
class Attempt {
 public:
  Attempt(const LaunchOptions& options, int restart) : options_(options) {
    cpu_set_t set;
    const int cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    for (int rank = 0; rank < options.ranks; ++rank) {
      EnvironmentMap environment = rank_variables(options, rank, listener_.port(), restart, cores);
      const int listen_fd = rank == 0 ? listener_.fd() : -1;
      if (rank == 0) environment["MINDSPEED_LISTEN_FD"] = std::to_string(listen_fd);
      if (rank == 0 && ::isatty(STDERR_FILENO) == 1) environment.emplace("MINDSPEED_TERMINAL", "1");
      ranks_.push_back(
          std::make_unique<RankProcess>(rank, options.program, options.arguments, environment, listen_fd));
    }
  }

  // Returns the first failure, if there was one.
  std::optional<Failure> run(const Signals& signals) {
    while (std::any_of(ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->running(); })) {
      wait_for_events(signals);
      while (const auto number = signals.next()) {
        interrupted_ = true;
        for (const auto& rank : ranks_) rank->signal(*number);
      }
      for (const auto& rank : ranks_)
        if (rank->running() && rank->reap() && rank->exit_code() != 0 && !failure_) {
          failure_ = Failure{rank->rank(), rank->exit_code()};
          failed_at_ = Clock::now();
        }
      end_the_others();
    }
    return failure_;
  }

  bool interrupted() const { return interrupted_; }

  // The error that explains it: the rank's own, unless it was a mere victim and another rank says more. A
  // rank that a signal ended could not say anything.
  std::string explanation(const Failure& failure) const {
    const auto victim = [](const std::string& line) {
      return line.find(" stops because ") != std::string::npos;
    };
    const std::string own = ranks_[static_cast<size_t>(failure.rank)]->error_line();
    if (failure.exit_code > 128 || (!own.empty() && !victim(own))) return own;
    for (const auto& rank : ranks_)
      if (!rank->error_line().empty() && !victim(rank->error_line())) return rank->error_line();
    return own;
  }

 private:
  void wait_for_events(const Signals& signals) {
    std::vector<pollfd> waits{{signals.fd(), POLLIN, 0}};
    std::vector<RankProcess*> owners{nullptr};
    for (const auto& rank : ranks_)
      for (const int descriptor : rank->descriptors()) {
        waits.push_back({descriptor, POLLIN, 0});
        owners.push_back(rank.get());
      }
    ::poll(waits.data(), waits.size(), failure_ ? 100 : 1000);
    for (size_t i = 1; i < waits.size(); ++i)
      if (waits[i].revents != 0) owners[i]->forward(waits[i].fd);
  }

  // After a failure: notice (the ranks say themselves who failed), SIGTERM, grace, SIGKILL.
  void end_the_others() {
    if (!failure_) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - failed_at_).count();
    if (sent_ == 0 && seconds > options_.notice_seconds) send(SIGTERM);
    if (sent_ == SIGTERM && seconds > options_.notice_seconds + options_.grace_seconds) send(SIGKILL);
  }
  void send(int number) {
    sent_ = number;
    for (const auto& rank : ranks_) rank->signal(number);
    for (const auto& rank : ranks_)
      rank->signal(SIGCONT);  // a stopped process takes SIGTERM only when it runs again
  }

  const LaunchOptions& options_;
  Listener listener_;
  std::vector<std::unique_ptr<RankProcess>> ranks_;
  std::optional<Failure> failure_;
  Clock::time_point failed_at_;
  int sent_ = 0;
  bool interrupted_ = false;
};

}  // namespace

int supervise(const LaunchOptions& options) {
  const Signals signals;
  for (int restart = 0;; ++restart) {
    Attempt attempt(options, restart);
    const std::optional<Failure> failure = attempt.run(signals);
    if (!failure) return kExitOk;
    std::string how = fmt::format("exit code {}", failure->exit_code);
    if (failure->exit_code > 128) how = fmt::format("signal {}", failure->exit_code - 128);
    const std::string why = attempt.explanation(*failure);
    log_line(LogLevel::error, fmt::format("[launch] rank {} ended first, with {}{}{}", failure->rank, how,
                                          why.empty() ? "" : ": ", why));
    const bool hopeless = failure->exit_code == kExitUsage || attempt.interrupted();
    if (hopeless || restart >= options.max_restarts) return failure->exit_code;
    log_warning("[launch] starting all {} ranks again (restart {} of {})", options.ranks, restart + 1,
                options.max_restarts);
  }
}

}  // namespace mindspeed
