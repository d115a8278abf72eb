// Writes a Hugging Face folder: safetensors (with shards and index), config.json, tokenizer, template and
// generation files. What came from such a folder and did not change goes back byte for byte.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "front/base/file.h"
#include "front/convert/hf/scatter_file.h"
#include "front/convert/hf/side_files.h"
#include "front/formats/safetensors_folder.h"
#include "front/plan/model_spec.h"
#include "front/plan/name_map.h"
#include "front/plan/tensor_io.h"

namespace mindspeed {

struct HuggingFaceTarget {
  fs::path directory = {};
  SideFileOrigin from = {};                   // of config.json, tokenizer, template and generation files
  uint64_t max_shard_bytes = 50'000'000'000;  // as transformers 5
  bool overwrite = false;                     // replace a model that is already in `directory`
};

// Names (without tied parameters), one dtype for all: what an export of trained weights stores.
std::vector<TensorInfo> stored_as(const std::vector<ParameterSpec>& table, DType dtype);

class HuggingFaceSink : public TensorSink {
 public:
  // `stored`: every untied parameter of `model` with the dtype to store it in (TensorSource::list() or
  // stored_as()). Throws Error (exit code 2) if the folder already holds a model and may not be overwritten,
  // or if the config.json of the origin describes another model than `model`; nothing is written before that.
  // Needs the disk space at once.
  HuggingFaceSink(HuggingFaceTarget target, const ModelSpec& model, std::vector<TensorInfo> stored);

  const std::vector<TensorInfo>& expected() const override { return expected_; }
  void write(std::string_view name, DType from, std::span<const std::byte> bytes) override;
  // Weights appear first and config.json last, so that a half-written folder does not open.
  void finish() override;

 private:
  struct Entry {
    ParameterSpec parameter;
    std::vector<Piece> pieces;
    DType dtype = DType::f32;
    bool written = false;
  };
  void open_shards(const NameMap& names);
  void remove_stale() const;

  HuggingFaceTarget target_;
  std::vector<TensorInfo> expected_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string> side_files_;  // name -> content
  std::vector<SafetensorsShard> shards_;
  std::vector<std::unique_ptr<ScatterFile>> files_;           // one per shard
  std::map<std::string, size_t, std::less<>> shard_of_name_;  // outside name -> index
  int64_t total_parameters_ = 0;
};

}  // namespace mindspeed
