// The weights of a Hugging Face folder: one file or many shards, read as one set of names; and how to write
// shards.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "front/formats/safetensors.h"

namespace mindspeed {

// Where a tensor lies.
struct SafetensorsPlace {
  const SafetensorsFile* file = nullptr;
  const SafetensorsEntry* entry = nullptr;
  std::span<const std::byte> bytes() const { return file->bytes(*entry); }
};

// Opens model.safetensors.index.json with its shards, or model.safetensors, or else every *.safetensors of
// the folder; `path` may also be one file. Throws Error naming: all missing shards; a tensor that stands in
// two shards; every disagreement between the index and the shards; a folder without weights.
class SafetensorsFolder {
 public:
  explicit SafetensorsFolder(const fs::path& path);

  const std::vector<std::string>& names() const { return names_; }  // by shard, then in the order of the data
  bool contains(std::string_view name) const { return places_.find(name) != places_.end(); }
  // Throws Error with the nearest name if there is none.
  SafetensorsPlace at(std::string_view name) const;
  const std::vector<std::unique_ptr<SafetensorsFile>>& files() const { return files_; }

 private:
  void open_indexed(const fs::path& index);
  void add_file(const fs::path& path);
  std::vector<std::unique_ptr<SafetensorsFile>> files_;
  std::map<std::string, SafetensorsPlace, std::less<>> places_;
  std::vector<std::string> names_;
  fs::path path_;
};

struct SafetensorsShard {
  std::string file_name;  // model-00001-of-00003.safetensors; model.safetensors if it is the only one
  std::vector<SafetensorsEntry> entries;  // in reference_order, ready for SafetensorsWriter
};

// Cuts tensors, in the order given, into shards of at most `max_bytes` as huggingface_hub does; a larger
// tensor gets a shard of its own.
std::vector<SafetensorsShard> split_into_shards(const std::vector<SafetensorsEntry>& entries,
                                                uint64_t max_bytes, std::string_view stem = "model");

// Text of model.safetensors.index.json. `total_parameters` is written as transformers 5 does; 0 leaves it
// out.
std::string index_json(const std::vector<SafetensorsShard>& shards, uint64_t total_parameters = 0);

}  // namespace mindspeed
