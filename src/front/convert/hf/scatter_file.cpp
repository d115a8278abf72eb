#include "front/convert/hf/scatter_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "front/base/error.h"
#include "front/formats/detail/safetensors_header.h"

namespace mindspeed {
namespace {

constexpr size_t kPart = size_t{1} << 28;  // pwrite moves less than 2 GiB per call

}  // namespace

ScatterFile::ScatterFile(const fs::path& path, std::vector<SafetensorsEntry> entries,
                         const SafetensorsMetadata& metadata)
    : file_(path) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t offset = 0;
  for (SafetensorsEntry& entry : entries) {
    entry.offset = offset;
    entry.bytes = size_of(entry.dtype);
    for (const int64_t extent : entry.shape) entry.bytes *= static_cast<uint64_t>(extent);
    offset += entry.bytes;
  }
  const std::string header = safetensors::print_header(entries, metadata);
  const uint64_t length = header.size();
  file_.write(std::as_bytes(std::span(&length, 1)));
  file_.write(header);
  const uint64_t data = file_.size();
  for (const SafetensorsEntry& entry : entries)
    places_[entry.name] = {data + entry.offset, entry.bytes, false};
  file_.extend(data + offset);
}

void ScatterFile::write(std::string_view name, std::span<const std::byte> bytes) {
  const auto it = places_.find(name);
  if (it == places_.end() || it->second.written || it->second.bytes != bytes.size())
    throw std::logic_error(
        fmt::format("ScatterFile: {} is unknown, already written or of another size", name));
  for (size_t at = 0; at < bytes.size(); at += kPart)
    file_.write_at(it->second.offset + at, bytes.subspan(at, std::min(kPart, bytes.size() - at)));
  it->second.written = true;
}

std::vector<std::string> ScatterFile::unwritten() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : places_)
    if (!place.written) names.push_back(name);
  return names;
}

void ScatterFile::finish() {
  if (!unwritten().empty()) throw std::logic_error("ScatterFile: finish before " + unwritten().front());
  file_.commit();
}

}  // namespace mindspeed
