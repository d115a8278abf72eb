// The progress line of long front-half work.
#pragma once

#include <chrono>
#include <cstdint>

namespace mindspeed {

// Prints "Processed N documents (x docs/s, y MB/s). 42% done, 3m20s left." whenever another `interval`
// documents are done, but at most twice a second.
class PreprocessProgress {
 public:
  PreprocessProgress(int64_t interval, uint64_t total_bytes);
  void update(int64_t documents, uint64_t bytes);
  void finish(int64_t documents, uint64_t bytes) const;

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void print(int64_t documents, uint64_t bytes, bool last) const;

  int64_t interval_;
  uint64_t total_bytes_;
  Clock::time_point start_ = Clock::now();
  double last_print_ = 0;
  int64_t next_ = 0;
};

}  // namespace mindspeed
