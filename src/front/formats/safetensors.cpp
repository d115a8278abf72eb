#include "front/formats/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <stdexcept>
#include <tuple>

#include "front/base/error.h"
#include "front/formats/box_copy.h"
#include "front/formats/detail/extent.h"
#include "front/formats/detail/safetensors_header.h"

namespace mindspeed {
namespace {

constexpr std::string_view kSafetensorsOp = "safetensors";

// The dtypes as the safetensors library ranks them, lowest first; it writes the highest rank first.
constexpr std::array kRank{DType::boolean, DType::u8,  DType::i8,  DType::f8_e5m2, DType::f8_e4m3,
                           DType::i16,     DType::u16, DType::f16, DType::bf16,    DType::i32,
                           DType::u32,     DType::f32, DType::f64, DType::i64,     DType::u64};

auto rank(DType dtype) { return std::find(kRank.begin(), kRank.end(), dtype) - kRank.begin(); }

// Fills offset and bytes in order.
std::vector<SafetensorsEntry> lay_out(std::vector<SafetensorsEntry> entries, const fs::path& path) {
  std::set<std::string_view> names;
  uint64_t end = 0;
  for (SafetensorsEntry& entry : entries) {
    if (entry.name == safetensors::kMetadataKey)
      fail(kSafetensorsOp, "{}: a tensor may not be called {}", path.string(), entry.name);
    if (!names.insert(entry.name).second)
      fail(kSafetensorsOp, "{}: two tensors are called \"{}\"", path.string(), entry.name);
    const auto bytes = byte_count(entry.shape, size_of(entry.dtype));
    const auto next = bytes ? checked_add(end, *bytes) : std::nullopt;
    if (!next) fail(kSafetensorsOp, "{}: tensor \"{}\" ends beyond 2^63 bytes", path.string(), entry.name);
    entry.offset = end;
    entry.bytes = *bytes;
    end = *next;
  }
  return entries;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const fs::path& path) : file_(path) {
  const auto all = file_.bytes();
  const std::string origin = path.string();
  if (all.size() < 8)
    fail(kSafetensorsOp, "{}: {} bytes are too few for the 8-byte header length; the file is truncated",
         origin, all.size());
  uint64_t length = 0;
  std::memcpy(&length, all.data(), 8);
  if (length > safetensors::kMaxHeader)
    fail(kSafetensorsOp,
         "{}: header length {} is out of range (at most {}); this is no safetensors file or it is damaged",
         origin, length, safetensors::kMaxHeader);
  if (length > all.size() - 8)
    fail(kSafetensorsOp, "{}: the header needs {} bytes but only {} follow; the file is truncated", origin,
         length, all.size() - 8);
  data_start_ = 8 + length;
  const std::string_view text(reinterpret_cast<const char*>(all.data()) + 8, length);
  auto header = safetensors::parse_header(text, all.size() - data_start_, origin);
  entries_ = std::move(header.entries);
  metadata_ = std::move(header.metadata);
  for (size_t i = 0; i < entries_.size(); ++i) index_.emplace(entries_[i].name, i);
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &entries_[found->second];
}

std::span<const std::byte> SafetensorsFile::bytes(const SafetensorsEntry& entry) const {
  return file_.bytes().subspan(data_start_ + entry.offset, entry.bytes);
}

void SafetensorsFile::read_box(const SafetensorsEntry& entry, std::span<const int64_t> start,
                               std::span<const int64_t> size, std::span<std::byte> out) const {
  box_to_packed({bytes(entry), entry.shape}, start, size, size_of(entry.dtype), out);
}

SafetensorsWriter::SafetensorsWriter(const fs::path& path, std::vector<SafetensorsEntry> entries,
                                     const SafetensorsMetadata& metadata)
    : file_(path), entries_(lay_out(std::move(entries), path)) {
  const std::string header = safetensors::print_header(entries_, metadata);
  if (header.size() > safetensors::kMaxHeader)
    fail(kSafetensorsOp,
         "{}: the header would have {} bytes, at most {} are allowed; write fewer tensors per file",
         path.string(), header.size(), safetensors::kMaxHeader);
  const uint64_t length = header.size();
  file_.write(std::as_bytes(std::span(&length, 1)));
  file_.write(header);
}

void SafetensorsWriter::write(std::string_view name, std::span<const std::byte> piece) {
  while (current_ < entries_.size() && written_ == entries_[current_].bytes &&
         entries_[current_].name != name) {
    ++current_;
    written_ = 0;
  }
  if (current_ == entries_.size() || entries_[current_].name != name)
    throw std::logic_error(fmt::format("safetensors: tensor {} was written out of order", name));
  if (piece.size() > entries_[current_].bytes - written_)
    throw std::logic_error(fmt::format("safetensors: more bytes than declared for tensor {}", name));
  file_.write(piece);
  written_ += piece.size();
}

void SafetensorsWriter::finish() {
  for (; current_ < entries_.size(); ++current_, written_ = 0)
    if (written_ != entries_[current_].bytes)
      throw std::logic_error(fmt::format("safetensors: tensor {} is incomplete", entries_[current_].name));
  file_.commit();
}

std::vector<SafetensorsEntry> reference_order(std::vector<SafetensorsEntry> entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tuple(-rank(a.dtype), std::string_view(a.name)) <
           std::tuple(-rank(b.dtype), std::string_view(b.name));
  });
  return entries;
}

}  // namespace mindspeed
