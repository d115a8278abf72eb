// A temporary file for data whose place in the output is known only at the end. It has no name: nothing is
// left behind however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "front/base/file.h"

namespace mindspeed {

class Spool {
 public:
  // In the folder of `beside`, so that it lies on the same disk as the output. Throws Error.
  explicit Spool(const fs::path& beside);
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  void append(std::span<const std::byte> bytes);
  // Hands out everything from the beginning, in pieces whose size is a multiple of 8 (but for the last).
  void drain(const std::function<void(std::span<const std::byte>)>& take);

 private:
  void flush();
  fs::path beside_;
  int fd_ = -1;
  std::string buffer_;
};

}  // namespace mindspeed
