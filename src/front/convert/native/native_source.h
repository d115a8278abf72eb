// The weights in a native checkpoint, whatever layout wrote it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "front/base/file.h"
#include "front/base/json.h"
#include "front/convert/mapped_source.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

// True for a folder of checkpoints (or one iter_* folder) of this program.
bool is_native_checkpoint(const fs::path& path);

// What the run that wrote it was started from: a folder or .gguf file with config.json, or else a preset.
// Throws Error (exit code 2) if the checkpoint names neither.
struct ModelOrigin {
  fs::path model_dir;
  std::string preset;
};
ModelOrigin native_origin(const fs::path& path);
Json config_of(const ModelOrigin& origin);

// The newest complete checkpoint under `path`. Throws one Error naming all tensors that are missing, extra or
// of another shape than in `table`; checksums are verified when a tensor is read.
std::unique_ptr<TensorSource> open_native(const fs::path& path, const std::vector<ParameterSpec>& table,
                                          SourceOptions options = {});

}  // namespace mindspeed
