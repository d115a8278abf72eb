// Shared by the fuzz targets. A target feeds damaged input to one reader: it answers with an Error or reads
// something valid. Any other exception, a crash, a hang or memory beyond the limit is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/error.h"
#include "front/base/log.h"

namespace mindspeed::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A folder of this process, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "mindspeed-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  // Writes a file in it, without waiting for the disk, and returns its path.
  std::filesystem::path put(std::string_view name, std::string_view content) const {
    std::filesystem::path path = path_ / name;
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline const Folder& folder() {
  static const Folder instance;
  return instance;
}

// Runs `read`; an Error is a good answer.
template <class Read>
int expect_answer(Read&& read) {
  try {
    read();
  } catch (const Error&) {
  }
  return 0;
}

// Pieces of the input between separators, for targets that take several.
inline std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator) {
      out.emplace_back();
    } else {
      out.back().push_back(c);
    }
  }
  return out;
}

}  // namespace mindspeed::fuzz
