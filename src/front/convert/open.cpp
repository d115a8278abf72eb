#include "front/convert/open.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/convert/hf/safetensors_tensors.h"
#include "front/models/registry.h"

namespace mindspeed {

Json load_model_config(const fs::path& path) {
  const fs::path config = path.filename() == "config.json" ? path
                          : fs::is_directory(path)         ? path / "config.json"
                                                           : path.parent_path() / "config.json";
  if (!fs::exists(path)) refuse("model", "{}: no such file or folder", path.string());
  if (!fs::exists(config))
    refuse("model", "{}: there is no config.json; needed: a Hugging Face folder or a .gguf file",
           path.string());
  return read_json(config);
}

std::unique_ptr<TensorSource> open_weights(const fs::path& path, const ModelSpec& model,
                                           const std::vector<ParameterSpec>& table, SourceOptions options) {
  const models::Family& family = models::family(model.family);
  const fs::path weights = path.filename() == "config.json" ? path.parent_path() : path;
  return std::make_unique<MappedSource>(open_safetensors(weights), family.hf_names(model), table, options);
}

}  // namespace mindspeed
