// GGUF files, versions 2 and 3: metadata, and tensors read whole or in boxes, dequantised on the fly.
// Layout (little-endian): "GGUF", u32 version, u64 tensors, u64 pairs; pairs (string key, u32 type, value);
// per tensor string name, u32 dimensions, u64 extents (fastest first), u32 type, u64 offset; padding to
// general.alignment (32 if absent); data. Source: docs/gguf.md of ggml.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/file.h"
#include "front/formats/gguf/gguf_value.h"
#include "front/formats/quant/ggml_type.h"

namespace mindspeed {

struct GgufTensor {
  std::string name;
  GgmlType type = GgmlType::f32;
  std::vector<int64_t> shape;  // row-major, slowest first (the reverse of the file)
  uint64_t offset = 0;         // bytes from the start of the data section
  uint64_t bytes = 0;
};

// A whole, checked file; the constructor throws Error naming path and fault (magic, version, truncation,
// lengths beyond the file, unknown types, duplicate keys or names, offsets not aligned, out of the file or
// overlapping).
class GgufFile {
 public:
  explicit GgufFile(const fs::path& path);

  const fs::path& path() const { return file_.path(); }
  uint32_t version() const { return version_; }
  uint64_t alignment() const { return alignment_; }
  const std::vector<std::string>& keys() const { return keys_; }  // in file order
  // nullptr if the key is absent.
  const GgufValue* find(std::string_view key) const;
  // Throws Error naming file and key if it is absent.
  const GgufValue& at(std::string_view key) const;

  const std::vector<GgufTensor>& tensors() const { return tensors_; }  // in file order
  const GgufTensor* find_tensor(std::string_view name) const;
  // The stored blocks of a tensor of this file.
  std::span<const std::byte> bytes(const GgufTensor& tensor) const;
  // Reads a box as fp32, row-major and packed; decodes only the blocks that it touches. Throws Error if the
  // box leaves the tensor or the type cannot be decoded.
  void read_box(const GgufTensor& tensor, std::span<const int64_t> start, std::span<const int64_t> size,
                std::span<float> out) const;
  // The whole tensor as fp32.
  std::vector<float> read(const GgufTensor& tensor) const;

 private:
  void check_ranges() const;
  MappedFile file_;
  uint32_t version_ = 0;
  uint64_t alignment_ = 32;
  uint64_t data_start_ = 0;
  std::vector<std::string> keys_;
  std::map<std::string, GgufValue, std::less<>> metadata_;
  std::vector<GgufTensor> tensors_;
  std::map<std::string, size_t, std::less<>> index_;
};

}  // namespace mindspeed
