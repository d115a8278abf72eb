// TensorBoard event files with scalars. Format: TFRecord frames (u64 length, masked CRC-32C of it, payload,
// masked CRC of that) around protobuf messages tensorflow.Event of event.proto and summary.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "front/base/file.h"

namespace mindspeed {

// Writes FOLDER/events.out.tfevents.<seconds>.<process>.<n>; a new file for every writer, as TensorBoard
// expects. Records reach the disk at flush() and in the destructor; a run that is killed leaves a readable
// file.
class TensorboardWriter {
 public:
  // Creates the folder if needed. `wall_time` (seconds since 1970) < 0 means now. Throws Error if it cannot
  // be written.
  explicit TensorboardWriter(const fs::path& folder, double wall_time = -1);
  TensorboardWriter(const TensorboardWriter&) = delete;
  TensorboardWriter& operator=(const TensorboardWriter&) = delete;
  ~TensorboardWriter();

  // One point of the curve `tag`.
  void scalar(std::string_view tag, int64_t step, double value, double wall_time = -1);
  // Throws Error with path and reason.
  void flush();
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  int fd_ = -1;
  std::string buffer_;
};

// The pieces, for tests: an encoded Event, and a frame around a payload.
std::string tensorboard_version_event(double wall_time);
std::string tensorboard_scalar_event(std::string_view tag, int64_t step, float value, double wall_time);
std::string tfrecord(std::string_view payload);

}  // namespace mindspeed
