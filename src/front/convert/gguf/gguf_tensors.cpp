#include "front/convert/gguf/gguf_tensors.h"

#include <cstring>

#include "front/base/error.h"
#include "front/convert/gguf/gguf_config.h"

namespace mindspeed {
namespace {

class GgufTensors : public OutsideTensors {
 public:
  explicit GgufTensors(std::shared_ptr<const GgufFile> file) : file_(std::move(file)) {}

  std::string origin() const override { return file_->path().string(); }

  std::vector<TensorInfo> list() const override {
    std::vector<TensorInfo> infos;
    for (const GgufTensor& tensor : file_->tensors())
      if (tensor.name != kGgufRopeFactors) infos.push_back({tensor.name, DType::f32, tensor.shape});
    return infos;
  }

  void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const override {
    const GgufTensor* tensor = file_->find_tensor(name);
    if (tensor == nullptr) fail("weights", "{}: there is no tensor \"{}\"", origin(), name);
    std::vector<float> values(static_cast<size_t>(box.elements()));
    file_->read_box(*tensor, box.start, box.size, values);
    convert(std::as_bytes(std::span(values)), DType::f32, out, as);
  }

 private:
  std::shared_ptr<const GgufFile> file_;
};

}  // namespace

std::unique_ptr<OutsideTensors> gguf_tensors(std::shared_ptr<const GgufFile> file) {
  return std::make_unique<GgufTensors>(std::move(file));
}

}  // namespace mindspeed
