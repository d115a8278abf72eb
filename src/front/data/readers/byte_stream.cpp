#include "front/data/readers/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr size_t kBufferBytes = 256 << 10;

}  // namespace

ByteStream::ByteStream(std::filesystem::path path) : path_(std::move(path)), buffer_(kBufferBytes) {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd_ < 0 || ::fstat(fd_, &info) != 0) {
    const std::string why = std::strerror(errno);
    if (fd_ >= 0) ::close(fd_);
    fail("read", "{}: {}", path_.string(), why);
  }
  size_ = static_cast<uint64_t>(info.st_size);
  if (refill() && filled_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) position_ = 3;
}

ByteStream::~ByteStream() { ::close(fd_); }

bool ByteStream::refill() {
  buffer_start_ += filled_;
  position_ = filled_ = 0;
  // A pipe may hand out few bytes at a time; the mark at the start needs three.
  while (filled_ < 3) {
    const ssize_t n = ::read(fd_, buffer_.data() + filled_, buffer_.size() - filled_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", "{}: {}", path_.string(), std::strerror(errno));
    if (n == 0) break;
    filled_ += static_cast<size_t>(n);
  }
  return filled_ > 0;
}

bool ByteStream::get_line(std::string& line) {
  line.clear();
  if (at_end()) return false;
  terminated_ = false;
  while (!terminated_ && !at_end()) {
    const char* begin = buffer_.data() + position_;
    const size_t available = filled_ - position_;
    const auto* feed = static_cast<const char*>(std::memchr(begin, '\n', available));
    const size_t taken = feed != nullptr ? static_cast<size_t>(feed - begin) : available;
    line.append(begin, taken);
    position_ += taken;
    if (feed == nullptr) continue;
    ++position_;
    ++line_;
    terminated_ = true;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

}  // namespace mindspeed
