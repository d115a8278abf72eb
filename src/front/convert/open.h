// The entry points for planner and engine: a model folder or file -> its config and its weights. Hugging Face
// folders, .gguf files and native checkpoints are told apart by what is there.
#pragma once

#include <memory>
#include <vector>

#include "front/base/file.h"
#include "front/base/json.h"
#include "front/convert/mapped_source.h"
#include "front/plan/model_spec.h"
#include "front/plan/parameter_spec.h"
#include "front/plan/tensor_io.h"

namespace mindspeed {

// config.json of a Hugging Face folder (or of the folder that a .safetensors or config.json path lies in), or
// the same derived from the metadata of a .gguf file. Throws Error when there is none.
Json load_model_config(const fs::path& path);

// The weights of that folder or file under our names. Throws one Error naming every tensor that does not fit
// `table`, which is parameter_table(model).
std::unique_ptr<TensorSource> open_weights(const fs::path& path, const ModelSpec& model,
                                           const std::vector<ParameterSpec>& table,
                                           SourceOptions options = {});

}  // namespace mindspeed
