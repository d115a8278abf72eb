#include "front/data/readers/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "front/base/error.h"

namespace mindspeed {
namespace {

class PlainBytes final : public ByteSource {
 public:
  explicit PlainBytes(std::string path)
      : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail("read", "{}: {}", path_, std::strerror(errno));
  }
  ~PlainBytes() override { ::close(fd_); }
  PlainBytes(const PlainBytes&) = delete;
  PlainBytes& operator=(const PlainBytes&) = delete;

  size_t read(char* out, size_t size) override {
    ssize_t n = -1;
    do n = ::read(fd_, out, size);
    while (n < 0 && errno == EINTR);
    if (n < 0) fail("read", "{}: {}", path_, std::strerror(errno));
    taken_ += static_cast<uint64_t>(n);
    return static_cast<size_t>(n);
  }
  uint64_t taken() const override { return taken_; }

 private:
  std::string path_;
  int fd_;
  uint64_t taken_ = 0;
};

// What both formats share: packed bytes on their way in, and the errors.
class PackedBytes : public ByteSource {
 public:
  explicit PackedBytes(const std::string& path) : path_(path), file_(path) {}
  uint64_t taken() const override { return file_.taken() - left_; }

 protected:
  // False at the end of the file.
  bool fill() {
    if (left_ > 0) return true;
    left_ = file_.read(packed_.data(), packed_.size());
    at_ = packed_.data();
    return left_ > 0;
  }
  [[noreturn]] void damaged(const char* format, const char* why) const {
    fail("read", "{}: the {} data are damaged at byte {}: {}", path_, format, taken(), why);
  }
  [[noreturn]] void cut(const char* format) const {
    fail("read", "{}: the {} data end at byte {}, in the middle: the file was cut short", path_, format,
         taken());
  }

  std::array<char, 64 << 10> packed_{};
  char* at_ = nullptr;
  size_t left_ = 0;

 private:
  std::string path_;
  PlainBytes file_;
};

class GzipBytes final : public PackedBytes {
 public:
  explicit GzipBytes(const std::string& path) : PackedBytes(path) {
    if (::inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK)
      throw std::bad_alloc();  // 16: a gzip header is demanded
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  size_t read(char* out, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (!fill()) {
        if (inside_) cut("gzip");
        return 0;
      }
      if (!inside_) ::inflateReset(&stream_);
      inside_ = true;
      stream_.next_in = reinterpret_cast<Bytef*>(at_);
      stream_.avail_in = static_cast<uInt>(left_);
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      at_ += left_ - stream_.avail_in;
      left_ = stream_.avail_in;
      if (result == Z_STREAM_END)
        inside_ = false;
      else if (result != Z_OK)
        damaged("gzip", stream_.msg != nullptr ? stream_.msg : "no more can be unpacked");
    }
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool inside_ = false;  // of a member
};

class ZstdBytes final : public PackedBytes {
 public:
  explicit ZstdBytes(const std::string& path) : PackedBytes(path), stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdBytes() override { ::ZSTD_freeDStream(stream_); }
  ZstdBytes(const ZstdBytes&) = delete;
  ZstdBytes& operator=(const ZstdBytes&) = delete;

  size_t read(char* out, size_t size) override {
    ZSTD_outBuffer to{out, size, 0};
    while (to.pos == 0) {
      // What was unpacked may still wait inside the stream, so the end of the file alone is not the end.
      const bool more = fill();
      ZSTD_inBuffer from{at_, left_, 0};
      const size_t result = ::ZSTD_decompressStream(stream_, &to, &from);
      at_ += from.pos;
      left_ -= from.pos;
      if (::ZSTD_isError(result) != 0) damaged("zstd", ::ZSTD_getErrorName(result));
      if (more) inside_ = result != 0;
      if (!more && to.pos == 0) {
        if (inside_) cut("zstd");
        return 0;
      }
    }
    return to.pos;
  }

 private:
  ZSTD_DStream* stream_;
  bool inside_ = false;  // of a frame
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path) {
  if (path.extension() == ".gz") return std::make_unique<GzipBytes>(path.string());
  if (path.extension() == ".zst") return std::make_unique<ZstdBytes>(path.string());
  return std::make_unique<PlainBytes>(path.string());
}

std::filesystem::path without_compression(const std::filesystem::path& path) {
  std::filesystem::path plain = path;
  if (path.extension() == ".gz" || path.extension() == ".zst") plain.replace_extension();
  return plain;
}

}  // namespace mindspeed
