// Writes the pieces of one rank into a checkpoint folder: rank_00000.safetensors and, until rank 0 has
// gathered the lists of all ranks, rank_00000.pieces.json.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "front/base/file.h"
#include "front/formats/checkpoint/metadata.h"
#include "front/formats/safetensors.h"

namespace mindspeed {

struct PieceToWrite {
  std::string group, name;
  std::vector<int64_t> shape;  // of the logical tensor
  Region region;
  DType dtype = DType::f32;
};

class ShardWriter {
 public:
  ShardWriter(const fs::path& folder, int rank, const std::vector<PieceToWrite>& pieces);
  // Pieces come in the order given to the constructor, packed. Throws Error on a full disk.
  void write(std::span<const std::byte> bytes);
  // Flushes both files to disk.
  void finish();

 private:
  fs::path folder_;
  std::string list_name_;
  CheckpointMetadata list_;  // shapes and pieces of this rank
  std::unique_ptr<SafetensorsWriter> file_;
  size_t next_ = 0;
};

// Rank 0, after all have finished: reads the lists of `world` ranks, checks them against each other and the
// files on disk, and removes the lists. Throws Error naming what is missing (a folder that not all ranks
// share).
CheckpointMetadata gather_shards(const fs::path& folder, int world, CheckpointState state);

}  // namespace mindspeed
