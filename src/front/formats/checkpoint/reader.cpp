#include "front/formats/checkpoint/reader.h"

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/base/text.h"
#include "front/formats/checkpoint/folder.h"

namespace mindspeed {
namespace {

std::string key_of(std::string_view group, std::string_view name) {
  return fmt::format("{}/{}", group, name);
}

}  // namespace

CheckpointReader::CheckpointReader(const fs::path& folder) : folder_(folder) {
  if (!has_marker(folder))
    fail("checkpoint", "{}: no valid completion marker; the save was interrupted or the folder was changed",
         folder.string());
  const fs::path path = folder / "metadata.json";
  metadata_ = parse_metadata(read_file(path), path.string());
  verify_shards(folder, metadata_);
  for (size_t i = 0; i < metadata_.pieces.size(); ++i)
    index_[key_of(metadata_.pieces[i].group, metadata_.pieces[i].name)].push_back(i);
  verified_.resize(metadata_.pieces.size(), false);
}

const std::vector<size_t>& CheckpointReader::pieces_of(std::string_view group, std::string_view name) const {
  const auto found = index_.find(key_of(group, name));
  if (found == index_.end()) fail("checkpoint", "{}: no {} of tensor {}", folder_.string(), group, name);
  return found->second;
}

bool CheckpointReader::has(std::string_view group, std::string_view name) const {
  return index_.find(key_of(group, name)) != index_.end();
}

DType CheckpointReader::dtype(std::string_view group, std::string_view name) const {
  return metadata_.pieces[pieces_of(group, name).front()].dtype;
}

std::span<const std::byte> CheckpointReader::piece_bytes(size_t index) const {
  const CheckpointPiece& piece = metadata_.pieces[index];
  std::unique_ptr<SafetensorsFile>& file = files_[piece.file];
  if (!file) file = std::make_unique<SafetensorsFile>(folder_ / piece.file);
  const SafetensorsEntry* entry = file->find(piece.key);
  if (entry == nullptr) fail("checkpoint", "{}: tensor {} is missing", file->path().string(), piece.key);
  const std::span<const std::byte> bytes = file->bytes(*entry);
  if (bytes.size() != static_cast<size_t>(piece.region.elements()) * size_of(piece.dtype))
    fail("checkpoint", "{}: tensor {} has {} bytes, its piece needs {}", file->path().string(), piece.key,
         bytes.size(), static_cast<size_t>(piece.region.elements()) * size_of(piece.dtype));
  if (!verified_[index]) {
    if (const uint32_t found = crc32c(bytes); found != piece.crc)
      fail("checkpoint",
           "{}: tensor {} is damaged (checksum {:08x}, saved as {:08x}); move {} away to resume from an "
           "earlier checkpoint",
           file->path().string(), piece.key, found, piece.crc, folder_.string());
    verified_[index] = true;
  }
  return bytes;
}

void CheckpointReader::read(std::string_view group, std::string_view name, const Region& region, DType as,
                            std::span<std::byte> out) const {
  if (out.size() != static_cast<size_t>(region.elements()) * size_of(as))
    throw std::logic_error("checkpoint: buffer of the wrong size for " + std::string(name));
  int64_t copied = 0;
  for (size_t index : pieces_of(group, name)) {
    const CheckpointPiece& piece = metadata_.pieces[index];
    if (shared_elements(piece.region, region) == 0) continue;
    const std::span<const std::byte> bytes = piece_bytes(index);
    if (piece.dtype == as) {
      copied += copy_shared(piece.region, bytes, region, out, size_of(as));
      continue;
    }
    std::vector<std::byte> converted(static_cast<size_t>(piece.region.elements()) * size_of(as));
    convert(bytes, piece.dtype, converted, as);
    copied += copy_shared(piece.region, converted, region, out, size_of(as));
  }
  if (copied != region.elements())
    fail("checkpoint", "{}: {} of {}: {} of {} elements of the box at {} size {} were saved",
         folder_.string(), group, name, copied, region.elements(), format_shape(region.start),
         format_shape(region.size));
}

}  // namespace mindspeed
