// Where weights come from and go to, in logical names and shapes. Formats (Hugging Face, GGUF, native) implement it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/dtype.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

struct TensorInfo {
  std::string name;
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
};

// Named tensors that can be read in part.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  virtual const std::vector<TensorInfo>& list() const = 0;
  // Reads a box of a tensor, row-major and packed, converted to `as`. `out` holds box.elements() * size_of(as) bytes.
  // Throws Error for an unknown name, a box outside the tensor, or damaged data.
  virtual void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const = 0;
};

// Takes whole tensors in any order; every declared tensor must be written exactly once before finish().
class TensorSink {
 public:
  virtual ~TensorSink() = default;
  virtual const std::vector<TensorInfo>& expected() const = 0;  // names, dtypes as stored, shapes
  // `bytes` are the row-major elements in dtype `from`; the sink converts.
  virtual void write(std::string_view name, DType from, std::span<const std::byte> bytes) = 0;
  // Completes the output. Throws Error naming every tensor that was not written.
  virtual void finish() = 0;
};

}  // namespace mindspeed
