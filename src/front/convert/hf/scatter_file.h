// A safetensors file whose tensors may be written in any order: the header comes first, every tensor has its
// place.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/file.h"
#include "front/formats/safetensors.h"

namespace mindspeed {

class ScatterFile {
 public:
  // Entries in file order (see reference_order). Reserves the whole size on disk.
  ScatterFile(const fs::path& path, std::vector<SafetensorsEntry> entries,
              const SafetensorsMetadata& metadata);

  // All bytes of one tensor. std::logic_error for an unknown name, a second write or another size.
  void write(std::string_view name, std::span<const std::byte> bytes);
  std::vector<std::string> unwritten() const;
  // Makes the file visible. Every tensor must have been written.
  void finish();

 private:
  struct Place {
    uint64_t offset = 0, bytes = 0;
    bool written = false;
  };
  AtomicFile file_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace mindspeed
