#include "front/convert/open.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/convert/gguf/gguf_config.h"
#include "front/convert/gguf/gguf_tensors.h"
#include "front/convert/hf/safetensors_tensors.h"
#include "front/convert/native/native_source.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

bool is_gguf(const fs::path& path) { return path.extension() == ".gguf"; }

void check_exists(const fs::path& path) {
  if (!fs::exists(path)) refuse("model", "{}: no such file or folder", path.string());
}

}  // namespace

Json load_model_config(const fs::path& path) {
  check_exists(path);
  if (is_gguf(path)) return gguf_config(GgufFile(path));
  if (is_native_checkpoint(path)) return config_of(native_origin(path));
  const fs::path config = fs::is_directory(path) ? path / "config.json" : path.parent_path() / "config.json";
  if (!fs::exists(config))
    refuse("model", "{}: there is no config.json; needed: a Hugging Face folder or a .gguf file",
           path.string());
  return read_json(config);
}

std::unique_ptr<TensorSource> open_weights(const fs::path& path, const ModelSpec& model,
                                           const std::vector<ParameterSpec>& table, SourceOptions options) {
  check_exists(path);
  const models::Family& family = models::family(model.family);
  if (is_gguf(path))
    return std::make_unique<MappedSource>(gguf_tensors(std::make_shared<GgufFile>(path)),
                                          family.gguf_names(model), table, options);
  if (is_native_checkpoint(path)) return open_native(path, table, options);
  const fs::path weights = path.filename() == "config.json" ? path.parent_path() : path;
  return std::make_unique<MappedSource>(open_safetensors(weights), family.hf_names(model), table, options);
}

}  // namespace mindspeed
