#include "front/formats/indexed/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr size_t kPiece = size_t{1} << 20;

}  // namespace

Spool::Spool(const fs::path& beside) : beside_(beside) {
  std::string name = beside.string() + ".spool.XXXXXX";
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) fail("write", "{}: {}", name, std::strerror(errno));
  ::unlink(name.c_str());
}

Spool::~Spool() { ::close(fd_); }

void Spool::append(std::span<const std::byte> bytes) {
  buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (buffer_.size() >= kPiece) flush();
}

void Spool::flush() {
  for (size_t done = 0; done < buffer_.size();) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno != EINTR)
      fail("write", "temporary file beside {}: {}", beside_.string(), std::strerror(errno));
    if (n > 0) done += static_cast<size_t>(n);
  }
  buffer_.clear();
}

void Spool::drain(const std::function<void(std::span<const std::byte>)>& take) {
  flush();
  std::vector<std::byte> piece(kPiece);
  off_t offset = 0;
  while (true) {
    size_t filled = 0;
    while (filled < kPiece) {
      const ssize_t n = ::pread(fd_, piece.data() + filled, kPiece - filled, offset);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("read", "temporary file beside {}: {}", beside_.string(), std::strerror(errno));
      if (n == 0) break;
      filled += static_cast<size_t>(n);
      offset += n;
    }
    if (filled > 0) take(std::span(piece).first(filled));
    if (filled < kPiece) return;
  }
}

}  // namespace mindspeed
