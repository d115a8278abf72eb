// Everything in a Hugging Face folder that is not weights.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "front/base/dtype.h"
#include "front/base/file.h"
#include "front/plan/model_spec.h"

namespace mindspeed {

// Where the files come from: each a Hugging Face folder or a .gguf file.
struct SideFileOrigin {
  fs::path model = {};      // empty: config.json is written from the spec tree, and there are no others
  fs::path tokenizer = {};  // the tokenizer that the model was trained with; empty: the model's own
};

// File name (relative to the folder) -> content, with config.json always among them. From a Hugging Face
// folder: copies; config.json changes only where `stored` contradicts its dtype. From a .gguf file: derived
// from its metadata. Throws Error if the config.json there describes another model. `stored`: the dtype of
// all exported tensors; nothing when they differ among themselves.
std::map<std::string, std::string> side_files(const SideFileOrigin& from, const ModelSpec& model,
                                              std::optional<DType> stored);

}  // namespace mindspeed
