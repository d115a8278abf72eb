// Everything in a Hugging Face folder that is not weights.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "front/base/dtype.h"
#include "front/base/file.h"
#include "front/plan/model_spec.h"

namespace mindspeed {

// File name (relative to the folder) -> content, with config.json always among them. From a Hugging Face
// folder: copies; config.json changes only where `stored` contradicts its dtype. From a .gguf file: derived
// from its metadata. From an empty path: config.json of the spec tree. Throws Error if the config.json there
// describes another model. `stored`: the dtype of all exported tensors; nothing when they differ among
// themselves.
std::map<std::string, std::string> side_files(const fs::path& model_dir, const ModelSpec& model,
                                              std::optional<DType> stored);

}  // namespace mindspeed
