#include "front/launch/rank_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "front/base/error.h"

namespace mindspeed {
namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// The child's side of fork: only calls that are safe there, then exec.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment, int rank,
                         int out, int err, int listen_fd) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (rank != 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
  }
  ::dup2(err, STDERR_FILENO);
  if (listen_fd >= 0) ::fcntl(listen_fd, F_SETFD, 0);
  ::execve(program, arguments, environment);
  const char* reason = strerrordesc_np(errno);
  const std::string_view text = "error: [launch] the program could not be executed: ";
  write_all(STDERR_FILENO, text);
  write_all(STDERR_FILENO, reason == nullptr ? "unknown" : reason);
  write_all(STDERR_FILENO, "\n");
  ::_exit(127);
}

}  // namespace

RankProcess::RankProcess(int rank, const std::string& program, const std::vector<std::string>& arguments,
                         const EnvironmentMap& environment, int listen_fd)
    : rank_(rank) {
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  if (::pipe2(err, O_CLOEXEC) != 0 || (rank != 0 && ::pipe2(out, O_CLOEXEC) != 0))
    fail("launch", "no pipe for rank {}: {}", rank, std::strerror(errno));
  std::vector<std::string> command{"mindspeed"}, variables;
  command.insert(command.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers(command), envp = pointers(variables);
  pid_ = ::fork();
  if (pid_ < 0) fail("launch", "rank {} could not be started: {}", rank, std::strerror(errno));
  if (pid_ == 0) become(program.c_str(), argv.data(), envp.data(), rank, out[1], err[1], listen_fd);
  ::setpgid(pid_, pid_);  // also here: whoever comes first
  ::close(err[1]);
  if (out[1] >= 0) ::close(out[1]);
  out_ = {out[0], STDOUT_FILENO, ""};
  err_ = {err[0], STDERR_FILENO, ""};
}

RankProcess::~RankProcess() {
  if (running_) {
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (out_.from >= 0) ::close(out_.from);
  if (err_.from >= 0) ::close(err_.from);
}

void RankProcess::signal(int number) const {
  if (running_) ::kill(-pid_, number);
}

bool RankProcess::reap() {
  if (!running_) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  running_ = false;
  exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  // What is in the pipes now is all that the rank wrote; a grandchild may keep them open for ever.
  for (const int descriptor : descriptors()) {
    pollfd ready{descriptor, POLLIN, 0};
    while (::poll(&ready, 1, 0) == 1 && forward(descriptor)) {
    }
  }
  return true;
}

std::vector<int> RankProcess::descriptors() const {
  std::vector<int> result;
  for (const Stream* stream : {&out_, &err_})
    if (stream->from >= 0) result.push_back(stream->from);
  return result;
}

bool RankProcess::forward(int descriptor) {
  Stream& stream = descriptor == err_.from ? err_ : out_;
  char buffer[65536];
  const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  const bool ended = n <= 0;
  const std::string_view got(buffer, ended ? 0 : static_cast<size_t>(n));
  if (rank_ == 0) write_all(stream.to, got);  // at once and as it is: progress lines have no line end
  stream.rest += got;
  if (ended && !stream.rest.empty()) stream.rest += '\n';
  size_t begin = 0;
  for (size_t end; (end = stream.rest.find('\n', begin)) != std::string::npos; begin = end + 1)
    line(stream, std::string_view(stream.rest).substr(begin, end - begin));
  stream.rest.erase(0, begin);
  if (ended) {
    ::close(stream.from);
    stream.from = -1;
  }
  return !ended;
}

void RankProcess::line(const Stream& stream, std::string_view text) {
  if (rank_ != 0) {
    const std::string prefix = fmt::format("[rank {}] ", rank_);
    const bool marked = text.starts_with(prefix);  // the log of the rank itself has a prefix
    write_all(stream.to, fmt::format("{}{}\n", marked ? "" : prefix, text));
    if (marked) text.remove_prefix(prefix.size());
  }
  if (&stream != &err_) return;
  const std::string_view mark = text.starts_with("error: ") ? "error: " : "mindspeed: ";  // log, main()
  if (!text.starts_with(mark)) return;
  text.remove_prefix(mark.size());
  const bool victim = text.find(" stops because ") != std::string_view::npos;
  if (error_line_.empty() || !victim) error_line_ = text;
}

}  // namespace mindspeed
