// A TensorSource over the tensors of an outside format and a name map. The formats differ only in
// OutsideTensors.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/plan/name_map.h"
#include "front/plan/parameter_spec.h"
#include "front/plan/tensor_io.h"

namespace mindspeed {

// Tensors under their outside names.
class OutsideTensors {
 public:
  virtual ~OutsideTensors() = default;
  virtual std::string origin() const = 0;  // path, for errors
  virtual std::vector<TensorInfo> list() const = 0;
  // Reads a box, packed row-major, in dtype `as`.
  virtual void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const = 0;
};

struct SourceOptions {
  bool check_finite = true;  // refuse NaN and infinity when a tensor is read
};

// Strict: the constructor compares every outside tensor with the table and throws one Error (exit code 1)
// that names all that are missing, extra, mis-shaped or of a type that is no floating-point number. A tied
// head may be absent; if present it must equal the tensor that it is tied to, bit for bit, else it is named
// too.
class MappedSource : public TensorSource {
 public:
  MappedSource(std::unique_ptr<OutsideTensors> tensors, NameMap map, std::vector<ParameterSpec> table,
               SourceOptions options = {});

  // Our names, in table order, without tied parameters. dtype: the widest of the pieces.
  const std::vector<TensorInfo>& list() const override { return list_; }
  // A tied parameter reads as the one that it is tied to. NaN or infinity: throws one Error naming all
  // tensors of the source that hold some, with the first place in each.
  void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const override;

 private:
  struct Entry {
    ParameterSpec parameter;
    std::vector<Piece> pieces;
  };
  const Entry& entry(std::string_view name) const;
  void read_entry(const Entry& entry, const Box& box, DType as, std::span<std::byte> out) const;
  [[noreturn]] void fail_non_finite() const;

  std::unique_ptr<OutsideTensors> tensors_;
  SourceOptions options_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<TensorInfo> list_;
};

}  // namespace mindspeed
