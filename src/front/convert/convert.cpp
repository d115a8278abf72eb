#include "front/convert/convert.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "front/base/error.h"
#include "front/convert/hf/sink.h"
#include "front/convert/open.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

void check_type(std::string_view flag, const std::string& type) {
  if (type == "mg")
    refuse("convert",
           "{} mg: Megatron's weight layout is not available; training here reads and writes Hugging Face "
           "folders and its own layout-free checkpoints, so no conversion for a layout is needed. Use hf",
           flag);
  if (type != "hf") refuse("convert", "{} {}: unknown; known: hf", flag, type);
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
  check_type("--load-model-type", options.load_type);
  check_type("--save-model-type", options.save_type);
  const ModelSpec model =
      models::model_from_config(load_model_config(options.load_dir), options.load_dir.string());
  check_family(options, model);
  const auto source = open_weights(options.load_dir, model, parameter_table(model), {options.check_finite});

  ConvertResult result{model.family, 0, 0, 0};
  std::vector<TensorInfo> stored = source->list();
  uint64_t total = 0;
  for (TensorInfo& info : stored) {
    if (options.dtype) info.dtype = *options.dtype;
    total += static_cast<uint64_t>(whole(info.shape).elements()) * size_of(info.dtype);
  }
  HuggingFaceSink sink({options.save_dir, options.load_dir, options.max_shard_bytes, options.overwrite},
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
