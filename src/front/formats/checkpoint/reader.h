// Reads any region of a checkpointed tensor, whatever layout wrote it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/file.h"
#include "front/formats/checkpoint/metadata.h"
#include "front/formats/safetensors.h"

namespace mindspeed {

class CheckpointReader {
 public:
  // `folder` is one checkpoint (iter_0000123). Throws Error if it is incomplete or a shard has the wrong
  // size.
  explicit CheckpointReader(const fs::path& folder);

  const fs::path& folder() const { return folder_; }
  const CheckpointMetadata& metadata() const { return metadata_; }
  bool has(std::string_view group, std::string_view name) const;
  DType dtype(std::string_view group, std::string_view name) const;

  // Fills `out` with the packed elements of `region`, converted to `as`. The checksum of every piece that is
  // touched is verified once. Throws Error for an unknown tensor, a region that the pieces do not cover, or
  // damaged data.
  void read(std::string_view group, std::string_view name, const Region& region, DType as,
            std::span<std::byte> out) const;

 private:
  std::span<const std::byte> piece_bytes(size_t index) const;
  const std::vector<size_t>& pieces_of(std::string_view group, std::string_view name) const;

  fs::path folder_;
  CheckpointMetadata metadata_;
  std::map<std::string, std::vector<size_t>, std::less<>> index_;          // "group/name" -> pieces
  mutable std::map<std::string, std::unique_ptr<SafetensorsFile>> files_;  // opened when first needed
  mutable std::vector<bool> verified_;                                     // per piece
};

}  // namespace mindspeed
