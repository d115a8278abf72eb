// Reads a file, unpacked, byte by byte through a small buffer, counting lines and bytes for error messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "front/data/readers/byte_source.h"

namespace mindspeed {

class ByteStream {
 public:
  static constexpr int kEnd = -1;

  // Skips a UTF-8 byte order mark. Throws Error (path, reason) when the file cannot be read.
  explicit ByteStream(std::filesystem::path path);

  // The next byte without taking it, or kEnd.
  int peek() {
    return position_ < filled_ || refill() ? static_cast<unsigned char>(buffer_[position_]) : kEnd;
  }
  int get() {
    const int c = peek();
    if (c == kEnd) return kEnd;
    ++position_;
    if (c == '\n') ++line_;
    return c;
  }

  // Replaces `line` with the bytes up to the next line feed, without it and without a carriage return before
  // it. Returns false when no byte is left.
  bool get_line(std::string& line);

  uint64_t line() const { return line_; }                        // of the next byte, from 1
  uint64_t offset() const { return buffer_start_ + position_; }  // of the next byte, from 0, in the text
  uint64_t bytes_read() const { return packed_ ? source_->taken() : offset(); }  // of the file
  bool at_end() { return peek() == kEnd; }
  // Whether the line that get_line returned last ended with a line feed.
  bool line_was_terminated() const { return terminated_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool refill();

  std::filesystem::path path_;
  std::unique_ptr<ByteSource> source_;
  bool packed_ = false;
  std::vector<char> buffer_;
  size_t position_ = 0, filled_ = 0;
  uint64_t buffer_start_ = 0;
  uint64_t line_ = 1;
  bool terminated_ = true;
};

}  // namespace mindspeed
