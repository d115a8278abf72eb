#include "front/formats/tensorboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "front/base/error.h"
#include "front/base/hash.h"

namespace mindspeed {
namespace {

constexpr std::string_view kTensorboardOp = "tensorboard";
constexpr size_t kBufferBytes = size_t{64} << 10;

// Protobuf wire types and the field numbers used here.
enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
enum EventField : uint32_t { kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5 };
enum SummaryField : uint32_t { kValue = 1 };
enum ValueField : uint32_t { kTag = 1, kSimpleValue = 2 };

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

void put_key(std::string& out, uint32_t field, Wire wire) { put_varint(out, field << 3 | wire); }

template <class T>
void put_raw(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

void put_bytes(std::string& out, uint32_t field, std::string_view bytes) {
  put_key(out, field, kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

uint32_t masked_crc(std::string_view bytes) {
  const uint32_t crc = crc32c({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string tensorboard_version_event(double wall_time) {
  std::string event;
  put_key(event, kWallTime, kFixed64);
  put_raw(event, wall_time);
  put_bytes(event, kFileVersion, "brain.Event:2");
  return event;
}

std::string tensorboard_scalar_event(std::string_view tag, int64_t step, float value, double wall_time) {
  std::string point, summary, event;
  put_bytes(point, kTag, tag);
  put_key(point, kSimpleValue, kFixed32);
  put_raw(point, value);
  put_bytes(summary, kValue, point);
  put_key(event, kWallTime, kFixed64);
  put_raw(event, wall_time);
  put_key(event, kStep, kVarint);
  put_varint(event, static_cast<uint64_t>(step));
  put_bytes(event, kSummary, summary);
  return event;
}

std::string tfrecord(std::string_view payload) {
  std::string frame;
  put_raw(frame, uint64_t{payload.size()});
  put_raw(frame, masked_crc(frame));
  frame += payload;
  put_raw(frame, masked_crc(payload));
  return frame;
}

TensorboardWriter::TensorboardWriter(const fs::path& folder, double wall_time) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(kTensorboardOp, "{}: {}", folder.string(), error.message());
  const double time = wall_time < 0 ? now() : wall_time;
  for (int n = 0; fd_ < 0; ++n) {
    path_ =
        folder / fmt::format("events.out.tfevents.{:010}.{}.{}", static_cast<int64_t>(time), ::getpid(), n);
    fd_ = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd_ < 0 && errno != EEXIST) fail(kTensorboardOp, "{}: {}", path_.string(), std::strerror(errno));
  }
  buffer_ = tfrecord(tensorboard_version_event(time));
  flush();
}

TensorboardWriter::~TensorboardWriter() {
  try {
    flush();
  } catch (const Error&) {  // the last points of a curve are not worth ending the process for
  }
  ::close(fd_);
}

void TensorboardWriter::scalar(std::string_view tag, int64_t step, double value, double wall_time) {
  buffer_ += tfrecord(
      tensorboard_scalar_event(tag, step, static_cast<float>(value), wall_time < 0 ? now() : wall_time));
  if (buffer_.size() > kBufferBytes) flush();
}

void TensorboardWriter::flush() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const std::string why = std::strerror(errno);
      buffer_.erase(0, done);
      fail(kTensorboardOp, "{}: {}", path_.string(), why);
    }
    done += static_cast<size_t>(n);
  }
  buffer_.clear();
}

}  // namespace mindspeed
