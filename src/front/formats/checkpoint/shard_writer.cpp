#include "front/formats/checkpoint/shard_writer.h"

#include <map>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/hash.h"

namespace mindspeed {
namespace {

std::string list_name(int rank) { return fmt::format("rank_{:05d}.pieces.json", rank); }
std::string file_name(int rank) { return fmt::format("rank_{:05d}.safetensors", rank); }

}  // namespace

ShardWriter::ShardWriter(const fs::path& folder, int rank, const std::vector<PieceToWrite>& pieces)
    : folder_(folder), list_name_(list_name(rank)) {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, int> used;
  for (const PieceToWrite& piece : pieces) {
    // A second piece of a tensor on the same rank (q, k, v of a shard) gets a number.
    std::string key = piece.group + "/" + piece.name;
    if (const int count = used[key]++; count > 0) key += fmt::format("#{}", count);
    const bool whole_box =
        piece.region.begin == 0 && piece.region.elements() == whole_region({}, piece.region.size).end;
    SafetensorsEntry entry;
    entry.name = key;
    entry.dtype = piece.dtype;
    entry.shape = whole_box ? piece.region.size : std::vector<int64_t>{piece.region.elements()};
    entries.push_back(std::move(entry));
    list_.shapes[piece.name] = piece.shape;
    list_.pieces.push_back({piece.group, piece.name, piece.region, file_name(rank), key, piece.dtype, 0});
  }
  file_ = std::make_unique<SafetensorsWriter>(folder_ / file_name(rank), std::move(entries));
}

void ShardWriter::write(std::span<const std::byte> bytes) {
  if (next_ >= list_.pieces.size()) throw std::logic_error("checkpoint: more pieces written than declared");
  CheckpointPiece& piece = list_.pieces[next_++];
  piece.crc = crc32c(bytes);
  file_->write(piece.key, bytes);
}

void ShardWriter::finish() {
  if (next_ != list_.pieces.size()) throw std::logic_error("checkpoint: fewer pieces written than declared");
  file_->finish();
  write_file_atomic(folder_ / list_name_, metadata_text(list_));
}

CheckpointMetadata gather_shards(const fs::path& folder, int world, CheckpointState state) {
  CheckpointMetadata all;
  all.state = std::move(state);
  for (int rank = 0; rank < world; ++rank) {
    const fs::path list_path = folder / list_name(rank);
    if (!fs::exists(list_path))
      fail("checkpoint", "{} is not visible to rank 0; --save must name a folder that all machines share",
           list_path.string());
    CheckpointMetadata list = parse_metadata(read_file(list_path), list_path.string());
    for (auto& [name, shape] : list.shapes) {
      const auto [known, fresh] = all.shapes.emplace(name, shape);
      if (!fresh && known->second != shape)
        throw std::logic_error("checkpoint: ranks disagree on the shape of " + name);
    }
    all.files[file_name(rank)] = fs::file_size(folder / file_name(rank));
    for (CheckpointPiece& piece : list.pieces) all.pieces.push_back(std::move(piece));
  }
  check_coverage(all);
  for (int rank = 0; rank < world; ++rank) fs::remove(folder / list_name(rank));
  return all;
}

}  // namespace mindspeed
