#include "front/convert/native/native_source.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/convert/open.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/reader.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

constexpr const char* kWeights = "model";  // group of the stored weights; the others belong to the optimizer

class NativeTensors : public OutsideTensors {
 public:
  explicit NativeTensors(const fs::path& folder) : reader_(folder) {}

  std::string origin() const override { return reader_.folder().string(); }

  std::vector<TensorInfo> list() const override {
    std::vector<TensorInfo> infos;
    for (const auto& [name, shape] : reader_.metadata().shapes)
      if (reader_.has(kWeights, name)) infos.push_back({name, reader_.dtype(kWeights, name), shape});
    return infos;
  }

  void read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const override {
    reader_.read(kWeights, name, whole_region(box.start, box.size), as, out);
  }

 private:
  CheckpointReader reader_;
};

fs::path newest(const fs::path& path) {
  const std::optional<fs::path> folder = checkpoint_to_load(path);
  if (!folder) fail("checkpoint", "{}: there is no complete checkpoint", path.string());
  return *folder;
}

}  // namespace

bool is_native_checkpoint(const fs::path& path) {
  return fs::is_directory(path) && !fs::exists(path / "config.json") && checkpoint_to_load(path).has_value();
}

ModelOrigin native_origin(const fs::path& path) {
  const TextMap settings = CheckpointReader(newest(path)).metadata().state.config;
  const auto setting = [&](const char* key) {
    const auto it = settings.find(key);
    return it == settings.end() ? std::string() : it->second;
  };
  for (const char* key : {"hf-cfg-dir", "model"})
    if (const std::string folder = setting(key); !folder.empty()) return {folder, {}};
  if (const std::string preset = setting("preset"); !preset.empty()) return {{}, preset};
  refuse("convert",
         "{}: the run was described by flags, so there is no config.json; give one with --hf-cfg-dir",
         path.string());
}

Json config_of(const ModelOrigin& origin) {
  if (origin.preset.empty() && !fs::exists(origin.model_dir))
    refuse(
        "model",
        "{} does not exist; the checkpoint says that its run was started from there. Name a folder with the "
        "config.json with --hf-cfg-dir",
        origin.model_dir.string());
  return origin.preset.empty() ? load_model_config(origin.model_dir) : models::preset_config(origin.preset);
}

std::unique_ptr<TensorSource> open_native(const fs::path& path, const std::vector<ParameterSpec>& table,
                                          SourceOptions options) {
  NameMap names;
  for (const ParameterSpec& p : table) {
    ParameterMap map{p.name, {}};
    // Stored whole under our own name; segments are rows of the same tensor, so one piece fills all of them.
    map.pieces.push_back({p.name, "", Move::copy, 0});
    names.parameters.push_back(std::move(map));
  }
  return std::make_unique<MappedSource>(std::make_unique<NativeTensors>(newest(path)), std::move(names),
                                        table, options);
}

}  // namespace mindspeed
