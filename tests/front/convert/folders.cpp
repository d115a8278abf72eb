#include "tests/front/convert/folders.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "front/convert/open.h"
#include "front/models/registry.h"
#include "tests/support/proof.h"

namespace mindspeed::test {

const std::vector<std::string>& golden_models() {
  static const std::vector<std::string> names{
      "llama_gqa",          "llama_tied", "llama_bias", "llama_rope_llama3", "llama_rope_linear",
      "llama_rope_dynamic", "qwen2",      "qwen3_tied", "qwen3_untied",      "mistral_window"};
  return names;
}

fs::path copy_of_golden(const std::string& name) {
  const fs::path folder = temporary_dir(name);
  for (const char* file : {"config.json", "generation_config.json", "model.safetensors"}) {
    fs::copy_file(fs::path(golden_dir()) / "hf" / name / file, folder / file);
    fs::permissions(folder / file, fs::perms::owner_write, fs::perm_options::add);
  }
  return folder;
}

ModelSpec model_at(const fs::path& path) {
  return models::model_from_config(load_model_config(path), path.string());
}

std::unique_ptr<TensorSource> weights_at(const fs::path& path) {
  const ModelSpec model = model_at(path);
  return open_weights(path, model, parameter_table(model));
}

std::vector<float> read_box(const TensorSource& source, const std::string& name, const Box& box) {
  std::vector<float> values(static_cast<size_t>(box.elements()));
  source.read(name, box, DType::f32, std::as_writable_bytes(std::span(values)));
  return values;
}

std::vector<float> read_whole(const TensorSource& source, const std::string& name) {
  for (const TensorInfo& info : source.list())
    if (info.name == name) return read_box(source, name, whole(info.shape));
  throw std::runtime_error("no tensor " + name);
}

}  // namespace mindspeed::test
