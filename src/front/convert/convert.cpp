#include "front/convert/convert.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "front/base/error.h"
#include "front/convert/hf/sink.h"
#include "front/convert/native/native_source.h"
#include "front/convert/open.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

constexpr std::string_view kNoMegatron =
    "Megatron's weight layout is not available; training here reads Hugging Face folders and its own "
    "checkpoints, which "
    "load in any layout, so nothing has to be converted for one";

std::string kind_of(const fs::path& path) {
  if (path.extension() == ".gguf") return "gguf";
  return is_native_checkpoint(path) ? "native" : "hf";
}

void check_types(const ConvertOptions& options) {
  if (options.load_type == "mg") refuse("convert", "--load-model-type mg: {}", kNoMegatron);
  if (options.save_type == "mg") refuse("convert", "--save-model-type mg: {}. Use hf", kNoMegatron);
  if (options.save_type != "hf")
    refuse("convert", "--save-model-type {}: only hf can be written", options.save_type);
  if (!fs::exists(options.load_dir))
    refuse("convert", "{}: no such file or folder", options.load_dir.string());
  const std::string kind = kind_of(options.load_dir);
  if (!options.load_type.empty() && options.load_type != kind)
    refuse("convert", "--load-model-type {}: {} is of type {}", options.load_type, options.load_dir.string(),
           kind);
}

// The folder or file that gives config.json and the tokenizer; empty when a preset does.
ModelOrigin choose_model(const ConvertOptions& options) {
  if (!options.config_dir.empty()) return {options.config_dir, {}};
  if (is_native_checkpoint(options.load_dir)) return native_origin(options.load_dir);
  return {options.load_dir, {}};
}

void check_family(const ConvertOptions& options, const ModelSpec& model) {
  if (options.model_type_hf.empty()) return;
  const std::string& asked = models::family_of_mindspeed_type(options.model_type_hf).name;
  if (asked != model.family)
    refuse("convert", "--model-type-hf {} means the {} family, but {} is of the {} family; drop the flag",
           options.model_type_hf, asked, options.load_dir.string(), model.family);
}

}  // namespace

ConvertResult convert_model(const ConvertOptions& options) {
  check_types(options);
  const ModelOrigin chosen = choose_model(options);
  const ModelSpec model = models::model_from_config(config_of(chosen), options.load_dir.string());
  check_family(options, model);
  const auto source = open_weights(options.load_dir, model, parameter_table(model), {options.check_finite});

  ConvertResult result{model.family, 0, 0, 0};
  std::vector<TensorInfo> stored = source->list();
  uint64_t total = 0;
  for (TensorInfo& info : stored) {
    if (options.dtype) info.dtype = *options.dtype;
    total += static_cast<uint64_t>(whole(info.shape).elements()) * size_of(info.dtype);
  }
  HuggingFaceSink sink({options.save_dir, {chosen.model_dir}, options.max_shard_bytes, options.overwrite},
                       model, stored);
  std::vector<std::byte> bytes;
  for (const TensorInfo& info : stored) {
    const Box box = whole(info.shape);
    bytes.resize(static_cast<size_t>(box.elements()) * size_of(info.dtype));
    source->read(info.name, box, info.dtype, bytes);
    sink.write(info.name, info.dtype, bytes);
    ++result.tensors;
    result.parameters += box.elements();
    result.bytes += bytes.size();
    if (options.progress) options.progress(result.bytes, total);
  }
  sink.finish();
  return result;
}

}  // namespace mindspeed
