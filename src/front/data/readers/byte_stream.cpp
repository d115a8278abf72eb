#include "front/data/readers/byte_stream.h"

#include <cstring>

namespace mindspeed {
namespace {

constexpr size_t kBufferBytes = 256 << 10;

}  // namespace

ByteStream::ByteStream(std::filesystem::path path)
    : path_(std::move(path)),
      source_(open_bytes(path_)),
      packed_(without_compression(path_) != path_),
      buffer_(kBufferBytes) {
  if (refill() && filled_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) position_ = 3;
}

bool ByteStream::refill() {
  buffer_start_ += filled_;
  position_ = filled_ = 0;
  // Few bytes may come at a time; the mark at the start needs three.
  while (filled_ < 3) {
    const size_t n = source_->read(buffer_.data() + filled_, buffer_.size() - filled_);
    if (n == 0) break;
    filled_ += n;
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
