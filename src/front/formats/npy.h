// NumPy .npy files of one or two dimensions, for Megatron's index caches. Format: numpy.lib.format,
// version 1.0 written, 1.0 and 2.0 read, little-endian, C order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "front/base/dtype.h"
#include "front/base/file.h"

namespace mindspeed {

// A memory-mapped array; its data is aligned for every element type. Throws Error naming path and fault:
// magic, version, header, element type, Fortran order, dimensions, a size that does not fit the shape.
class NpyFile {
 public:
  explicit NpyFile(const fs::path& path);
  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  std::span<const std::byte> bytes() const { return file_.bytes().subspan(data_start_); }
  // The elements as T. Throws Error if the file holds another type.
  template <class T>
  std::span<const T> as() const;

 private:
  void check_type(DType dtype) const;
  MappedFile file_;
  DType dtype_ = DType::i32;
  std::vector<int64_t> shape_;
  size_t data_start_ = 0;
};

// Everything before the data, byte for byte as numpy.save writes it.
std::string npy_header(DType dtype, std::span<const int64_t> shape);

// Writes an array atomically. Throws Error on I/O faults and on element types without a NumPy name (bf16,
// fp8); std::logic_error if `elements` is not shape x dtype.
void write_npy(const fs::path& path, DType dtype, std::span<const int64_t> shape,
               std::span<const std::byte> elements);

template <class T>
constexpr DType npy_dtype() {
  if constexpr (std::is_same_v<T, int16_t>) return DType::i16;
  if constexpr (std::is_same_v<T, int32_t>) return DType::i32;
  if constexpr (std::is_same_v<T, int64_t>) return DType::i64;
  if constexpr (std::is_same_v<T, uint32_t>) return DType::u32;
}

template <class T>
std::span<const T> NpyFile::as() const {
  check_type(npy_dtype<T>());
  return {reinterpret_cast<const T*>(bytes().data()), bytes().size() / sizeof(T)};
}

}  // namespace mindspeed
