// The folder that holds the checkpoints of a run:
//   iter_0000123/{rank_00000.safetensors ..., metadata.json, COMPLETE}   latest_checkpointed_iteration.txt
// A checkpoint is written under iter_0000123.saving and renamed when every byte is on disk, so a crash leaves
// either no folder of the final name or a complete one. Leftovers are ignored and removed by the next save.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "front/base/file.h"
#include "front/formats/checkpoint/metadata.h"

namespace mindspeed {

fs::path iteration_folder(const fs::path& root, int64_t iteration);
fs::path staging_folder(const fs::path& root, int64_t iteration);

// The right of one run to write into a folder of checkpoints, held until the object goes. Nothing is left
// behind when the process dies.
class FolderClaim {
 public:
  // Throws Error (exit code 2) if another process holds it. File systems without locks grant it to everyone.
  explicit FolderClaim(const fs::path& root);
  ~FolderClaim();
  FolderClaim(const FolderClaim&) = delete;
  FolderClaim& operator=(const FolderClaim&) = delete;

 private:
  int fd_ = -1;
};

// Creates `folder` and a file in it for a moment. Throws Error (exit code 2) if that is not possible: a run
// that could not save is refused before its first step.
void check_writable(const fs::path& folder);

// Removes leftovers of interrupted saves and creates the staging folder (and root).
void begin_checkpoint(const fs::path& root, int64_t iteration);

// Writes metadata and marker into the staging folder, renames it (an older checkpoint of the same iteration
// is replaced in one step) and then moves the pointer.
void publish_checkpoint(const fs::path& root, const CheckpointMetadata& metadata);

// Removes the staging folder after a failed save; never throws.
void abandon_checkpoint(const fs::path& root, int64_t iteration) noexcept;

// True if the folder has a marker that fits its metadata. Says nothing about the shards (see verify_shards).
bool has_marker(const fs::path& folder);

// Every shard file is there with the size that metadata.json names. Throws Error naming the first that is
// not.
void verify_shards(const fs::path& folder, const CheckpointMetadata& metadata);

// Iterations of complete checkpoints, ascending.
std::vector<int64_t> complete_checkpoints(const fs::path& root);

// The folder to resume from: `path` itself when it is a checkpoint, the one that the pointer names, or, when
// the pointer is missing or names an incomplete one, the newest complete one. Empty = there is none.
std::optional<fs::path> checkpoint_to_load(const fs::path& path);

// Deletes the oldest complete checkpoints so that `keep` remain (0 = keep all), after that of `saved` has
// been verified. `saved` itself is never deleted.
void prune_checkpoints(const fs::path& root, int keep, int64_t saved);

}  // namespace mindspeed
