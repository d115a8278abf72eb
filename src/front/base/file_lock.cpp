#include "front/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "front/base/error.h"

namespace mindspeed {

FileLock::FileLock(const std::filesystem::path& path)
    : fd_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
  if (fd_ < 0) fail("lock", "{}: {}", path.string(), std::strerror(errno));
  while (::flock(fd_, LOCK_EX) != 0)
    if (errno != EINTR) break;  // a file system without locks: its users are alone by assumption
}

FileLock::~FileLock() { ::close(fd_); }

}  // namespace mindspeed
