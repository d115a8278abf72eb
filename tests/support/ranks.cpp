#include "tests/support/ranks.h"

#include <ATen/Parallel.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

using Clock = std::chrono::steady_clock;

// A listening socket on a free port of the loopback address.
int listen_anywhere(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(fd, 64) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw std::runtime_error("no free port");
  port = ntohs(address.sin_port);
  return fd;
}

bool write_all(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(fd, at, size);
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool read_all(int fd, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::read(fd, at, size);
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

struct Command {
  RankPool::Case body = nullptr;
  int attempt = 0;
  size_t argument = 0;  // bytes that follow
};

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string tensor_path(const std::string& folder, int rank, const std::string& name) {
  std::string file = name;
  std::replace(file.begin(), file.end(), '/', '_');
  return fmt::format("{}/{}.{}", folder, file, rank);
}

at::Tensor read_tensor(const std::string& folder, int rank, const std::string& name) {
  std::ifstream in(tensor_path(folder, rank, name), std::ios::binary);
  int64_t header[2] = {};
  in.read(reinterpret_cast<char*>(header), sizeof header);
  if (!in) throw std::runtime_error(fmt::format("rank {} has put no tensor '{}'", rank, name));
  std::vector<int64_t> shape(static_cast<size_t>(header[1]));
  in.read(reinterpret_cast<char*>(shape.data()),
          static_cast<std::streamsize>(shape.size() * sizeof(int64_t)));
  at::Tensor tensor = at::empty(shape, at::TensorOptions(static_cast<at::ScalarType>(header[0])));
  in.read(static_cast<char*>(tensor.data_ptr()), static_cast<std::streamsize>(tensor.nbytes()));
  return tensor;
}

// Runs one case; returns its failed expectations and exceptions as text.
std::string run_case(RankPool::Case body, Rank& rank) {
  testing::TestPartResultArray failures;
  std::string message;
  {
    const testing::ScopedFakeTestPartResultReporter collect(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &failures);
    try {
      body(rank);
      if (failures.size() == 0)
        for (Mesh& mesh : rank.meshes) leave_mesh(mesh);
    } catch (const std::exception& error) {
      message = fmt::format("exception: {}\n", error.what());
    }
  }
  for (int i = 0; i < failures.size(); ++i) {
    const testing::TestPartResult& part = failures.GetTestPartResult(i);
    if (part.failed())
      message += fmt::format("{}:{}: {}\n", part.file_name() ? part.file_name() : "?", part.line_number(),
                             part.message());
  }
  return message;
}

}  // namespace

Mesh Rank::mesh(const MeshDegrees& degrees, const CommOptions& options) {
  meshes.push_back(build_mesh(degrees, environment, options));
  environment.restart += 1;  // the next mesh of this case gets its own keys
  return meshes.back();
}

void Rank::put(const std::string& name, const at::Tensor& tensor) const {
  const at::Tensor plain = tensor.detach().contiguous();
  std::ofstream out(tensor_path(folder, index, name), std::ios::binary);
  const int64_t header[2] = {static_cast<int64_t>(plain.scalar_type()), plain.dim()};
  out.write(reinterpret_cast<const char*>(header), sizeof header);
  out.write(reinterpret_cast<const char*>(plain.sizes().data()),
            static_cast<std::streamsize>(plain.dim() * static_cast<int64_t>(sizeof(int64_t))));
  out.write(static_cast<const char*>(plain.data_ptr()), static_cast<std::streamsize>(plain.nbytes()));
}

at::Tensor Rank::get(int of_rank, const std::string& name) const {
  return read_tensor(folder, of_rank, name);
}

RankPool::RankPool(int world) : world_(world), folder_(temporary_dir(fmt::format("ranks{}", world))) {}

RankPool::~RankPool() { end(); }

at::Tensor RankPool::get(int rank, const std::string& name) const { return read_tensor(folder_, rank, name); }

void RankPool::start() {
  at::set_num_threads(1);  // so that the parent never starts a worker thread that a fork would lose
  int port = 0;
  const int listener = listen_anywhere(port);
  for (int index = 0; index < world_; ++index) {
    int command[2], result[2];
    if (::pipe2(command, O_CLOEXEC) != 0 || ::pipe2(result, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe failed");
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      for (const Child& other : children_) ::close(other.to), ::close(other.from);
      ::close(command[1]), ::close(result[0]);
      const int errors =
          ::open(fmt::format("{}/stderr.{}", folder_, index).c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      ::dup2(errors, STDERR_FILENO);
      c10::intrusive_ptr<c10d::TCPStore> store;
      if (index == 0) {
        c10d::TCPStoreOptions options;
        options.port = static_cast<std::uint16_t>(port);
        options.isServer = true;
        options.waitWorkers = false;
        options.masterListenFd = listener;
        store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
      } else {
        ::close(listener);
      }
      attempt_ = port;
      serve(index, command[0], result[1]);
      ::_exit(0);
    }
    ::close(command[0]), ::close(result[1]);
    children_.push_back({pid, command[1], result[0]});
  }
  ::close(listener);
}

// The life of a rank: read a command, run it, answer with its failures.
void RankPool::serve(int index, int command, int result) {
  const int port = attempt_;
  Command next;
  while (read_all(command, &next, sizeof next)) {
    Rank rank;
    rank.index = index;
    rank.world = world_;
    rank.folder = folder_;
    rank.argument.resize(next.argument);
    if (!read_all(command, rank.argument.data(), next.argument)) return;
    rank.environment = {.launcher = "test",
                        .rank = index,
                        .world = world_,
                        .local_rank = index,
                        .local_world = world_,
                        .master_address = "127.0.0.1",
                        .master_port = port,
                        .restart = next.attempt,
                        .external_store = true,
                        .listen_fd = -1,
                        .interface = ""};
    const std::string message = run_case(next.body, rank);
    const size_t size = message.size();
    if (!write_all(result, &size, sizeof size) || !write_all(result, message.data(), size)) return;
  }
}

void RankPool::end() {
  for (const Child& child : children_) {
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    ::close(child.to), ::close(child.from);
  }
  children_.clear();
}

std::vector<RankOutcome> RankPool::run_raw(Case body, const std::string& argument, double timeout_seconds,
                                           int ignored) {
  if (children_.empty()) start();
  const auto begin = Clock::now();
  cases_ += 1;
  const Command command{body, cases_ * 100, argument.size()};
  for (const Child& child : children_) {
    write_all(child.to, &command, sizeof command);
    write_all(child.to, argument.data(), argument.size());
  }
  std::vector<RankOutcome> outcomes(children_.size());
  std::vector<bool> open(children_.size(), true);
  if (ignored >= 0) open.at(static_cast<size_t>(ignored)) = false;
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  bool lost = ignored >= 0;
  while (std::count(open.begin(), open.end(), true) > 0 && elapsed() < timeout_seconds) {
    std::vector<pollfd> waits;
    for (size_t i = 0; i < children_.size(); ++i)
      waits.push_back({open[i] ? children_[i].from : -1, POLLIN, 0});
    ::poll(waits.data(), waits.size(), 100);
    for (size_t i = 0; i < children_.size(); ++i) {
      if (!open[i] || waits[i].revents == 0) continue;
      open[i] = false;
      RankOutcome& outcome = outcomes[i];
      outcome.seconds = elapsed();
      size_t size = 0;
      if (read_all(children_[i].from, &size, sizeof size)) {
        outcome.message.resize(size);
        outcome.answered = read_all(children_[i].from, outcome.message.data(), size);
      }
      // The others may wait for this rank for ever.
      if (!outcome.message.empty()) timeout_seconds = std::min(timeout_seconds, elapsed() + 3);
      if (outcome.answered) continue;
      lost = true;
      int status = 0;
      ::waitpid(children_[i].pid, &status, 0);
      if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
      outcome.errors = read_text(fmt::format("{}/stderr.{}", folder_, i));
    }
  }
  const bool hung = std::count(open.begin(), open.end(), true) > 0;
  for (size_t i = 0; i < open.size(); ++i)
    if (open[i]) outcomes[i].seconds = elapsed();
  const bool failed =
      std::any_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return !o.message.empty(); });
  if (lost || hung || failed) end();  // the next case starts with fresh ranks
  return outcomes;
}

void RankPool::run(Case body, const std::string& argument, double timeout_seconds) {
  const std::vector<RankOutcome> outcomes = run_raw(body, argument, timeout_seconds);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const RankOutcome& outcome = outcomes[i];
    if (outcome.answered && outcome.message.empty()) continue;
    if (outcome.answered)
      ADD_FAILURE() << "rank " << i << " of " << world_ << ":\n" << outcome.message;
    else if (outcome.signal != 0 || outcome.exit_code >= 0)
      ADD_FAILURE() << "rank " << i << " of " << world_ << " ended with signal " << outcome.signal
                    << ", exit code " << outcome.exit_code << "\n"
                    << outcome.errors;
    else
      ADD_FAILURE() << "rank " << i << " of " << world_ << " gave no answer in " << outcome.seconds << " s";
  }
}

RankPool& ranks(int world) {
  static std::map<int, std::unique_ptr<RankPool>> pools;
  std::unique_ptr<RankPool>& pool = pools[world];
  if (!pool) pool = std::make_unique<RankPool>(world);
  return *pool;
}

}  // namespace mindspeed::test
