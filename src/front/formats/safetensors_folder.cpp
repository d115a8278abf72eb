#include "front/formats/safetensors_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"

namespace mindspeed {
namespace {

constexpr std::string_view kFolderOp = "safetensors";
constexpr size_t kListed = 20;  // faults named one by one in a message

// weight_map of an index: tensor name -> file name.
std::map<std::string, std::string> read_weight_map(const fs::path& index) {
  const Json json = read_json(index);
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
    fail(kFolderOp, "{}: no object \"weight_map\"", index.string());
  std::map<std::string, std::string> result;
  for (const auto& [name, file] : json["weight_map"].items()) {
    if (!file.is_string()) fail(kFolderOp, "{}: weight_map \"{}\" is not a string", index.string(), name);
    const auto& text = file.get_ref<const std::string&>();
    if (text.empty() || fs::path(text).filename() != text || text == "." || text == "..")
      fail(kFolderOp, "{}: weight_map \"{}\": \"{}\" is not a plain file name", index.string(), name, text);
    result[name] = text;
  }
  return result;
}

std::string listed(std::vector<std::string> items) {
  const size_t all = items.size();
  if (all > kListed) {
    items.resize(kListed);
    items.push_back(fmt::format("and {} more", all - kListed));
  }
  return join(items, ", ");
}

std::vector<fs::path> safetensors_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& item : fs::directory_iterator(folder))
    if (item.path().extension() == ".safetensors") found.push_back(item.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

SafetensorsFolder::SafetensorsFolder(const fs::path& path) : path_(path) {
  if (!fs::is_directory(path)) {
    add_file(path);
  } else if (fs::exists(path / "model.safetensors.index.json")) {
    open_indexed(path / "model.safetensors.index.json");
  } else if (fs::exists(path / "model.safetensors")) {
    add_file(path / "model.safetensors");
  } else {
    const auto found = safetensors_in(path);
    if (found.empty())
      fail(kFolderOp,
           "{}: no *.safetensors file in this folder; give a folder with model.safetensors or its shards",
           path.string());
    for (const fs::path& file : found) add_file(file);
  }
}

void SafetensorsFolder::open_indexed(const fs::path& index) {
  const auto weight_map = read_weight_map(index);
  std::set<std::string> shards;
  for (const auto& [name, file] : weight_map) shards.insert(file);
  std::vector<std::string> faults;
  for (const std::string& shard : shards)
    if (!fs::exists(path_ / shard)) faults.push_back(shard);
  if (!faults.empty())
    fail(kFolderOp, "{}: {} of {} shards are missing: {}; download them again", path_.string(), faults.size(),
         shards.size(), listed(faults));
  for (const std::string& shard : shards) add_file(path_ / shard);
  for (const auto& [name, file] : weight_map) {
    const auto place = places_.find(name);
    if (place == places_.end())
      faults.push_back(fmt::format("\"{}\" is not in {}", name, file));
    else if (place->second.file->path().filename() != file)
      faults.push_back(fmt::format("\"{}\" is in {}, not in {}", name,
                                   place->second.file->path().filename().string(), file));
  }
  for (const std::string& name : names_)
    if (!weight_map.contains(name)) faults.push_back(fmt::format("\"{}\" is in no line of the index", name));
  if (!faults.empty())
    fail(kFolderOp, "{}: the index and the shards disagree: {}", index.string(), listed(faults));
}

void SafetensorsFolder::add_file(const fs::path& path) {
  files_.push_back(std::make_unique<SafetensorsFile>(path));
  const SafetensorsFile& file = *files_.back();
  for (const SafetensorsEntry& entry : file.entries()) {
    const auto [place, added] = places_.emplace(entry.name, SafetensorsPlace{&file, &entry});
    if (!added)
      fail(kFolderOp,
           "tensor \"{}\" stands in both {} and {}; keep only the files of one model in the folder",
           entry.name, place->second.file->path().string(), path.string());
    names_.push_back(entry.name);
  }
}

SafetensorsPlace SafetensorsFolder::at(std::string_view name) const {
  const auto place = places_.find(name);
  if (place != places_.end()) return place->second;
  const std::string near = nearest_name(name, names_);
  fail(kFolderOp, "{}: no tensor \"{}\" among {}{}", path_.string(), name, names_.size(),
       near.empty() ? "" : fmt::format("; the nearest name is \"{}\"", near));
}

std::vector<SafetensorsShard> split_into_shards(const std::vector<SafetensorsEntry>& entries,
                                                uint64_t max_bytes, std::string_view stem) {
  std::vector<SafetensorsShard> shards;
  SafetensorsShard open;
  uint64_t filled = 0;
  for (const SafetensorsEntry& entry : entries) {
    const auto bytes = byte_count(entry.shape, size_of(entry.dtype));
    if (!bytes) fail(kFolderOp, "tensor \"{}\" has more than 2^63 bytes", entry.name);
    if (*bytes > max_bytes) {
      shards.push_back({"", {entry}});
      continue;
    }
    if (filled + *bytes > max_bytes) {
      shards.push_back(std::exchange(open, {}));
      filled = 0;
    }
    open.entries.push_back(entry);
    filled += *bytes;
  }
  if (!open.entries.empty() || shards.empty()) shards.push_back(std::move(open));
  for (size_t i = 0; i < shards.size(); ++i) {
    shards[i].file_name = shards.size() == 1
                              ? fmt::format("{}.safetensors", stem)
                              : fmt::format("{}-{:05}-of-{:05}.safetensors", stem, i + 1, shards.size());
    shards[i].entries = reference_order(std::move(shards[i].entries));
  }
  return shards;
}

std::string index_json(const std::vector<SafetensorsShard>& shards, uint64_t total_parameters) {
  Json json;
  uint64_t total = 0;
  for (const SafetensorsShard& shard : shards)
    for (const SafetensorsEntry& entry : shard.entries) {
      total += byte_count(entry.shape, size_of(entry.dtype)).value_or(0);
      json["weight_map"][entry.name] = shard.file_name;
    }
  json["metadata"]["total_size"] = total;
  if (total_parameters > 0) json["metadata"]["total_parameters"] = total_parameters;
  return json.dump(2, ' ', true) + "\n";
}

}  // namespace mindspeed
