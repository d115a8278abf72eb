#include "front/convert/hf/sink.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/convert/moves.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

constexpr const char* kIndex = "model.safetensors.index.json";

// Files of a model that an export would mix with its own.
std::vector<std::string> model_files(const fs::path& directory) {
  std::vector<std::string> names;
  if (!fs::is_directory(directory)) return names;
  for (const auto& item : fs::directory_iterator(directory)) {
    const std::string name = item.path().filename().string();
    const bool weights = name.starts_with("model") && name.ends_with(".safetensors");
    if (weights || name == kIndex || name == "config.json") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void check_target(const HuggingFaceTarget& target) {
  if (fs::exists(target.directory) && !fs::is_directory(target.directory))
    refuse("export", "{}: is a file; needed: a folder", target.directory.string());
  const std::vector<std::string> there = model_files(target.directory);
  if (!there.empty() && !target.overwrite)
    refuse("export", "{}: already holds a model ({}); choose another folder, or give --overwrite",
           target.directory.string(), join(there, ", "));
  std::error_code same;
  if (!target.from.model.empty() && fs::equivalent(target.directory, target.from.model, same))
    refuse("export", "{}: is the folder that is being read; choose another one", target.directory.string());
}

}  // namespace

std::vector<TensorInfo> stored_as(const std::vector<ParameterSpec>& table, DType dtype) {
  std::vector<TensorInfo> infos;
  for (const ParameterSpec& p : table)
    if (p.tied_to.empty()) infos.push_back({p.name, dtype, p.shape});
  return infos;
}

HuggingFaceSink::HuggingFaceSink(HuggingFaceTarget target, const ModelSpec& model,
                                 std::vector<TensorInfo> stored)
    : target_(std::move(target)), expected_(std::move(stored)) {
  check_target(target_);
  const NameMap names = models::family(model.family).hf_names(model);
  std::map<std::string, const ParameterMap*, std::less<>> maps;
  for (const ParameterMap& p : names.parameters) maps.emplace(p.name, &p);
  std::map<std::string, ParameterSpec, std::less<>> untied;
  for (ParameterSpec& p : parameter_table(model))
    if (p.tied_to.empty()) untied.emplace(p.name, std::move(p));

  std::set<DType> dtypes;
  for (const TensorInfo& info : expected_) {
    const auto it = untied.find(info.name);
    if (it == untied.end() || it->second.shape != info.shape)
      throw std::logic_error("HuggingFaceSink: " + info.name +
                             " is not in the parameter table or has another shape");
    total_parameters_ += it->second.elements();
    entries_.emplace(info.name, Entry{std::move(it->second), maps.at(info.name)->pieces, info.dtype, false});
    untied.erase(it);
    dtypes.insert(info.dtype);
  }
  if (!untied.empty()) throw std::logic_error("HuggingFaceSink: " + untied.begin()->first + " is not stored");

  const std::optional<DType> uniform = dtypes.size() == 1 ? std::optional(*dtypes.begin()) : std::nullopt;
  side_files_ = side_files(target_.from, model, uniform);
  make_folder(target_.directory);
  remove_dead_temporaries(target_.directory, "model");
  open_shards(names);
}

void HuggingFaceSink::open_shards(const NameMap& names) {
  std::map<std::string, SafetensorsEntry, std::less<>> outside;
  for (const auto& [name, entry] : entries_)
    for (const Piece& piece : entry.pieces) {
      SafetensorsEntry e{piece.outside, entry.dtype, outside_shape(entry.parameter, piece), 0, 0};
      e.bytes = static_cast<uint64_t>(whole(e.shape).elements()) * size_of(e.dtype);
      outside.emplace(piece.outside, std::move(e));
    }
  std::vector<SafetensorsEntry> ordered;
  for (const std::string& name : names.order)
    if (const auto it = outside.find(name); it != outside.end()) ordered.push_back(it->second);
  if (ordered.size() != outside.size())
    throw std::logic_error("name map: order does not list every outside name");

  shards_ = split_into_shards(ordered, target_.max_shard_bytes);
  const SafetensorsMetadata metadata = std::map<std::string, std::string>{{"format", "pt"}};
  for (size_t i = 0; i < shards_.size(); ++i) {
    files_.push_back(std::make_unique<ScatterFile>(target_.directory / shards_[i].file_name,
                                                   shards_[i].entries, metadata));
    for (const SafetensorsEntry& entry : shards_[i].entries) shard_of_name_[entry.name] = i;
  }
}

void HuggingFaceSink::write(std::string_view name, DType from, std::span<const std::byte> bytes) {
  const auto it = entries_.find(name);
  if (it == entries_.end()) throw std::logic_error(fmt::format("HuggingFaceSink: {} is not expected", name));
  Entry& entry = it->second;
  if (entry.written) throw std::logic_error(fmt::format("HuggingFaceSink: {} is written twice", name));
  if (bytes.size() != static_cast<size_t>(entry.parameter.elements()) * size_of(from))
    throw std::logic_error(fmt::format("HuggingFaceSink: {} has another size", name));
  std::vector<std::byte> moved, converted;
  for (const Piece& piece : entry.pieces) {
    const size_t elements = static_cast<size_t>(whole(outside_shape(entry.parameter, piece)).elements());
    moved.resize(elements * size_of(from));
    write_through(entry.parameter, piece, size_of(from), bytes, moved);
    std::span<const std::byte> result = moved;
    if (from != entry.dtype) {
      converted.resize(elements * size_of(entry.dtype));
      convert(moved, from, converted, entry.dtype);
      result = converted;
    }
    files_[shard_of_name_.at(piece.outside)]->write(piece.outside, result);
  }
  entry.written = true;
}

void HuggingFaceSink::remove_stale() const {
  for (const std::string& name : model_files(target_.directory)) {
    const bool ours =
        std::any_of(shards_.begin(), shards_.end(), [&](const auto& s) { return s.file_name == name; });
    if (!ours) fs::remove(target_.directory / name);
  }
}

void HuggingFaceSink::finish() {
  std::vector<std::string> missing;
  for (const auto& [name, entry] : entries_)
    if (!entry.written) missing.push_back(name);
  if (!missing.empty())
    fail("export", "{}: {} tensors were never written: {}", target_.directory.string(), missing.size(),
         join(missing, ", "));
  for (const auto& file : files_) file->finish();
  remove_stale();
  if (shards_.size() > 1)
    write_file_atomic(target_.directory / kIndex,
                      index_json(shards_, static_cast<uint64_t>(total_parameters_)));
  for (const auto& [name, content] : side_files_) {
    if (name == "config.json") continue;
    make_folder((target_.directory / name).parent_path());
    write_file_atomic(target_.directory / name, content);
  }
  write_file_atomic(target_.directory / "config.json", side_files_.at("config.json"));
}

}  // namespace mindspeed
