// Safetensors files: a strict reader over a memory map and a streaming writer.
// Layout (little-endian): u64 header length, JSON header {"__metadata__": {str: str}, name: {"dtype",
// "shape", "data_offsets": [begin, end]}}, then the data; offsets count from the end of the header. Source:
// the format section of the README of the safetensors library. The writer's bytes equal that library's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/dtype.h"
#include "front/base/file.h"

namespace mindspeed {

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  uint64_t offset = 0;  // bytes from the start of the data section
  uint64_t bytes = 0;
};

// The pairs under "__metadata__"; nothing and an empty object are different files.
using SafetensorsMetadata = std::optional<std::map<std::string, std::string>>;

// A whole, valid file. The constructor checks everything that the header says: its length, JSON, dtypes,
// shapes against bytes, and that the ranges cover the data section without a hole, an overlap or a rest.
// Throws Error naming path and fault; nothing of a damaged file can be read.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const fs::path& path);

  const fs::path& path() const { return file_.path(); }
  const std::vector<SafetensorsEntry>& entries() const { return entries_; }  // in the order of the data
  const SafetensorsMetadata& metadata() const { return metadata_; }

  // nullptr if there is no tensor of that name.
  const SafetensorsEntry* find(std::string_view name) const;
  // Row-major bytes of an entry of this file, valid as long as this object lives.
  std::span<const std::byte> bytes(const SafetensorsEntry& entry) const;
  // Reads a box, packed, in the stored dtype. Throws Error if it leaves the tensor.
  void read_box(const SafetensorsEntry& entry, std::span<const int64_t> start, std::span<const int64_t> size,
                std::span<std::byte> out) const;

 private:
  MappedFile file_;
  uint64_t data_start_ = 0;
  std::vector<SafetensorsEntry> entries_;
  std::map<std::string, size_t, std::less<>> index_;
  SafetensorsMetadata metadata_;
};

// Writes one file; it appears under its name at finish(). The header is complete before the first tensor, so
// tensors can be streamed in pieces without holding them.
class SafetensorsWriter {
 public:
  // Entries in file order (see reference_order); their offset and bytes are computed here. Throws Error on a
  // duplicate name, a reserved name or a size beyond 64 bits.
  SafetensorsWriter(const fs::path& path, std::vector<SafetensorsEntry> entries,
                    const SafetensorsMetadata& metadata = {});

  const std::vector<SafetensorsEntry>& entries() const { return entries_; }
  // The next bytes of tensor `name`. Tensors come in the order of entries(), each in one or more pieces;
  // anything else is a std::logic_error.
  void write(std::string_view name, std::span<const std::byte> piece);
  // Completes the file; std::logic_error naming the first tensor whose bytes have not all come.
  void finish();

 private:
  AtomicFile file_;
  std::vector<SafetensorsEntry> entries_;
  size_t current_ = 0;    // entry being written
  uint64_t written_ = 0;  // bytes of it
};

// The order in which the safetensors library writes tensors: by dtype (wide ones first), then by name.
std::vector<SafetensorsEntry> reference_order(std::vector<SafetensorsEntry> entries);

}  // namespace mindspeed
