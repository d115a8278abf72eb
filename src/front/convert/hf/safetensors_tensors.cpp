#include "front/convert/hf/safetensors_tensors.h"

#include "front/base/error.h"
#include "front/formats/safetensors_folder.h"

namespace mindspeed {
namespace {

class SafetensorsTensors : public OutsideTensors {
 public:
  explicit SafetensorsTensors(const fs::path& path) : path_(path), folder_(path) {}

  std::string origin() const override { return path_.string(); }

  std::vector<TensorInfo> list() const override {
    std::vector<TensorInfo> infos;
    for (const std::string& name : folder_.names()) {
      const SafetensorsEntry& entry = *folder_.at(name).entry;
      infos.push_back({name, entry.dtype, entry.shape});
    }
    return infos;
  }

  void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const override {
    const SafetensorsPlace place = folder_.at(name);
    if (place.entry->dtype == as) return place.file->read_box(*place.entry, box.start, box.size, out);
    std::vector<std::byte> stored(static_cast<size_t>(box.elements()) * size_of(place.entry->dtype));
    place.file->read_box(*place.entry, box.start, box.size, stored);
    convert(stored, place.entry->dtype, out, as);
  }

 private:
  fs::path path_;
  SafetensorsFolder folder_;
};

}  // namespace

std::unique_ptr<OutsideTensors> open_safetensors(const fs::path& path) {
  return std::make_unique<SafetensorsTensors>(path);
}

}  // namespace mindspeed
