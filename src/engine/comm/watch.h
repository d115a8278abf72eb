// The watch: notices within seconds that a rank died, hung or failed, and ends this process naming the
// culprit. Internal to comm/.
//
// Two threads. The beat thread has its own store client: it writes this rank's sign of life, reads the shared
// "abort" key, and checks others (rank 0 checks all, the others check rank 0). The judge thread never touches
// the store, so a store that hangs cannot stop it: it ends the process on a verdict or when the beat thread
// is stuck.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace c10d {
class Store;
}

namespace mindspeed {

struct WatchOptions {
  int rank = 0, world = 1;
  std::chrono::milliseconds silence{6000};  // see CommOptions
  bool hosts_store = false;
  std::string store_name;  // "the store on rank 0 (host:port)", for messages
};

class Watch {
 public:
  using Connect = std::function<c10::intrusive_ptr<c10d::Store>()>;

  // Writes the first sign of life of `rank`, before the threads run: a rank that dies right after it joined is
  // missed all the same.
  static void sign_in(c10d::Store& store, int rank);

  Watch(Connect connect, WatchOptions options);
  ~Watch();

  // Announces that this rank failed by itself; the first announcement of all ranks counts.
  void announce(const std::string& message);
  // This rank lost a peer: others shorten their patience. Returns the verdict if one is reached within
  // `patience`.
  std::optional<std::string> who_failed(std::chrono::milliseconds patience);
  // Ends watching; called when all ranks agreed to leave.
  void stop();
  // Prints one line (only the first caller of a process does) and ends the process.
  [[noreturn]] void leave(const std::string& message, int exit_code);

 private:
  using Clock = std::chrono::steady_clock;
  struct Sign {
    int rank = 0;
    std::vector<uint8_t> last;
    Clock::time_point changed;
    bool joined = false;
  };

  void beat_loop();
  void beat(c10d::Store& store, int64_t count);
  void look_at_others(c10d::Store& store);
  void judge_loop();
  void set_verdict(const std::string& verdict);

  Connect connect_;
  WatchOptions options_;
  std::vector<Sign> signs_;  // beat thread only
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false, suspicious_ = false, announced_ = false, left_ = false, own_failure_ = false;
  std::string announcement_;
  std::optional<std::string> verdict_;
  Clock::time_point last_beat_ = Clock::now();
  std::thread beat_thread_, judge_thread_;
};

}  // namespace mindspeed
