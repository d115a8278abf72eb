// One rank as a child process of the supervisor. Internal to launch/.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "front/launch/environment.h"

namespace mindspeed {

class RankProcess {
 public:
  // Forks and executes `program`. stderr is read through a pipe; stdout too, except for rank 0, which keeps
  // ours. `listen_fd` (or -1) stays open in the child under the same number. The child leads its own process
  // group, so that a terminal's Ctrl-C reaches it only through the supervisor.
  RankProcess(int rank, const std::string& program, const std::vector<std::string>& arguments,
              const EnvironmentMap& environment, int listen_fd);
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;
  ~RankProcess();

  int rank() const { return rank_; }
  bool running() const { return running_; }
  int exit_code() const { return exit_code_; }  // 128 + n when signal n ended it
  void signal(int number) const;                // to its process group
  // True once it has ended; reads the rest of its output then.
  bool reap();

  std::vector<int> descriptors() const;  // to poll for output
  // Copies what there is to ours; false at the end of the stream, which is then closed.
  bool forward(int descriptor);
  // The last error on stderr ("error: ..." or "mindspeed: ..."), without the mark, or empty. What victims say
  // ("... stops because ...") gives way.
  const std::string& error_line() const { return error_line_; }

 private:
  struct Stream {
    int from = -1;
    int to = -1;
    std::string rest;  // of a line that is not complete yet
  };
  void line(const Stream& stream, std::string_view text);
  int rank_;
  pid_t pid_ = -1;
  bool running_ = true;
  int exit_code_ = 0;
  Stream out_, err_;
  std::string error_line_;
};

}  // namespace mindspeed
