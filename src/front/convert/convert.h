// `mindspeed convert`: any model that can be opened -> a Hugging Face folder, one tensor at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "front/base/dtype.h"
#include "front/base/file.h"

namespace mindspeed {

struct ConvertOptions {
  fs::path load_dir;  // Hugging Face folder, .safetensors or .gguf file, native checkpoint
  fs::path save_dir;
  fs::path config_dir;    // where config.json and tokenizer files come from; empty: what belongs to load_dir
  std::string load_type;  // hf, gguf, native; empty = recognised; mg (Megatron) is refused
  std::string save_type = "hf";  // the only kind of output
  std::string model_type_hf;     // must fit the config.json when given ("qwen3", "llama2", ...)
  std::optional<DType> dtype;    // nothing: as stored; GGUF becomes fp32
  uint64_t max_shard_bytes = 50'000'000'000;
  bool overwrite = false;
  bool check_finite = true;
  // Called after each tensor with the bytes stored so far and in all.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

struct ConvertResult {
  std::string family;
  size_t tensors = 0;  // outside tensors are one to four for each of these
  int64_t parameters = 0;
  uint64_t bytes = 0;
};

// Streams: holds one parameter at a time (the largest is the embedding). Throws Error; an interrupted
// conversion leaves a folder without config.json, which does not open.
ConvertResult convert_model(const ConvertOptions& options);

}  // namespace mindspeed
