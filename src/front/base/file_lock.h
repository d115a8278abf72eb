// A lock between processes.
#pragma once

#include <filesystem>

namespace mindspeed {

// Holds an exclusive lock on a file, which is made if it is missing and stays. The constructor waits for
// other holders; the lock ends with this object or its process. Throws Error if the file cannot be opened.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace mindspeed
