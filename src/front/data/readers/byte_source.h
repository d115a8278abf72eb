// The bytes of a file, unpacked when it is compressed. Memory is constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace mindspeed {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills up to `size` bytes; 0 only at the end. Throws Error naming the file and the byte in it when the
  // file is damaged, cut short, or cannot be read.
  virtual size_t read(char* out, size_t size) = 0;
  // Bytes taken from the file itself so far.
  virtual uint64_t taken() const = 0;
};

// "gz" (RFC 1952, also several members one after another) or "zst" (RFC 8878) by the extension, else plain.
// Throws Error when the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);

// The path without .gz or .zst: what its text is called.
std::filesystem::path without_compression(const std::filesystem::path& path);

}  // namespace mindspeed
