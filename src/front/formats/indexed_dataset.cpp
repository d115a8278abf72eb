#include "front/formats/indexed_dataset.h"

#include <cstring>
#include <limits>

#include "front/base/error.h"
#include "front/formats/detail/extent.h"
#include "front/formats/indexed/idx_layout.h"

namespace mindspeed {
namespace {

constexpr std::string_view kDatasetOp = "indexed data";

// Tables of the .idx are not aligned, hence memcpy.
template <class T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

MappedFile open(const std::string& prefix, std::string_view extension) {
  const fs::path path = prefix + std::string(extension);
  if (fs::exists(path)) return MappedFile(path);
  const bool too_much = prefix.ends_with(".bin") || prefix.ends_with(".idx");
  fail(kDatasetOp, "{} does not exist; a data prefix stands for PREFIX.bin and PREFIX.idx{}", path.string(),
       too_much ? "; leave out the extension" : "");
}

// Copies elements of type From.
template <class From, class To>
void copy_elements(const std::byte* first, std::span<To> out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const From value = load<From>(first + i * sizeof(From));
    if constexpr (sizeof(From) > sizeof(To))
      if (value < std::numeric_limits<To>::min() || value > std::numeric_limits<To>::max())
        fail(kDatasetOp, "element {} does not fit int32", value);
    out[i] = static_cast<To>(value);
  }
}

template <class To>
void copy_as(DType dtype, const std::byte* first, std::span<To> out) {
  switch (dtype) {
    case DType::u8:
      return copy_elements<uint8_t>(first, out);
    case DType::i8:
      return copy_elements<int8_t>(first, out);
    case DType::i16:
      return copy_elements<int16_t>(first, out);
    case DType::u16:
      return copy_elements<uint16_t>(first, out);
    case DType::i32:
      return copy_elements<int32_t>(first, out);
    case DType::i64:
      return copy_elements<int64_t>(first, out);
    default:
      fail(kDatasetOp, "the elements are {}, not integers; token files are needed here", display_name(dtype));
  }
}

}  // namespace

IndexedDataset::IndexedDataset(const std::string& prefix)
    : prefix_(prefix), idx_(open(prefix, ".idx")), bin_(open(prefix, ".bin")) {
  read_header();
  check_sequences();
  check_documents();
}

void IndexedDataset::read_header() {
  const auto bytes = idx_.bytes();
  const std::string path = idx_.path().string();
  if (bytes.size() < idx::kMagic.size() ||
      std::memcmp(bytes.data(), idx::kMagic.data(), idx::kMagic.size()) != 0)
    fail(kDatasetOp,
         "{} does not begin with \"MMIDIDX\"; it is no index file of Megatron's (are .bin and .idx swapped?)",
         path);
  if (bytes.size() < idx::kHeaderBytes)
    fail(kDatasetOp, "{} is truncated: {} bytes, the header alone has {}", path, bytes.size(),
         idx::kHeaderBytes);
  const auto version = load<uint64_t>(bytes.data() + 9);
  if (version != idx::kVersion) fail(kDatasetOp, "{}: version {}; only version 1 is known", path, version);
  const auto code = load<uint8_t>(bytes.data() + 17);
  const auto dtype = idx::dtype_of(code);
  if (!dtype) fail(kDatasetOp, "{}: unknown dtype code {}; known are 1 to 8", path, code);
  dtype_ = *dtype;
  const auto sequences = load<uint64_t>(bytes.data() + 18);
  const auto documents = load<uint64_t>(bytes.data() + 26);
  const auto tables = checked_multiply(sequences, 12), starts = checked_multiply(documents, 8);
  const auto end = tables && starts ? checked_add(*tables, *starts) : std::nullopt;
  const uint64_t body = bytes.size() - idx::kHeaderBytes;
  if (!end || *end > body)
    fail(kDatasetOp, "{} is truncated: {} sequences and {} document indices do not fit {} bytes", path,
         sequences, documents, bytes.size());
  if (body != *end && body != *end + sequences)  // the second: with modes
    fail(kDatasetOp, "{} has {} bytes; {} sequences and {} document indices need {}", path, bytes.size(),
         sequences, documents, idx::kHeaderBytes + *end);
  if (documents == 0) fail(kDatasetOp, "{}: no document indices; the table must begin with 0", path);
  document_count_ = documents;
  pointers_at_ = idx::kHeaderBytes + 4 * sequences;
  documents_at_ = pointers_at_ + 8 * sequences;
  lengths_.resize(sequences);
  if (sequences > 0) std::memcpy(lengths_.data(), bytes.data() + idx::kHeaderBytes, 4 * sequences);
}

void IndexedDataset::check_sequences() const {
  uint64_t expected = 0;
  for (size_t s = 0; s < lengths_.size(); ++s) {
    if (lengths_[s] < 0) fail(kDatasetOp, "{}.idx: sequence {} has the length {}", prefix_, s, lengths_[s]);
    if (pointer(s) != static_cast<int64_t>(expected))
      fail(kDatasetOp,
           "{}.idx: sequence {} begins at byte {}, but the lengths before it times {} bytes ({}) give {}; "
           "the dtype "
           "or a table is wrong",
           prefix_, s, pointer(s), size_of(dtype_), display_name(dtype_), expected);
    const auto next = idx::next_pointer(expected, lengths_[s], size_of(dtype_));
    if (!next) fail(kDatasetOp, "{}.idx: sequence {} ends beyond 2^63 bytes", prefix_, s);
    expected = *next;
  }
  const uint64_t size = bin_.bytes().size();
  if (size < expected)
    fail(kDatasetOp, "{}.bin is truncated or belongs to another .idx: it has {} bytes, the .idx needs {}",
         prefix_, size, expected);
  if (size > expected)
    fail(kDatasetOp, "{}.bin and {}.idx do not belong together: the .bin has {} bytes, the .idx describes {}",
         prefix_, prefix_, size, expected);
}

void IndexedDataset::check_documents() const {
  int64_t previous = 0;
  for (size_t d = 0; d < document_count_; ++d) {
    const int64_t begin = document_index(d);
    if (begin < previous || (d == 0 && begin != 0))
      fail(kDatasetOp, "{}.idx: document index {} is {} after {}; it must begin with 0 and never fall",
           prefix_, d, begin, previous);
    previous = begin;
  }
  if (previous != static_cast<int64_t>(lengths_.size()))
    fail(kDatasetOp, "{}.idx: the last document ends at sequence {}, but there are {}", prefix_, previous,
         lengths_.size());
}

int64_t IndexedDataset::pointer(size_t sequence) const {
  if (sequence >= lengths_.size()) throw std::logic_error("IndexedDataset::pointer: no such sequence");
  return load<int64_t>(idx_.bytes().data() + pointers_at_ + 8 * sequence);
}

int64_t IndexedDataset::document_index(size_t d) const {
  if (d >= document_count_) throw std::logic_error("IndexedDataset::document_index: no such document");
  return load<int64_t>(idx_.bytes().data() + documents_at_ + 8 * d);
}

std::vector<int64_t> IndexedDataset::document_indices() const {
  std::vector<int64_t> result(document_count_);
  std::memcpy(result.data(), idx_.bytes().data() + documents_at_, 8 * document_count_);
  return result;
}

IndexedDataset::Part IndexedDataset::part(size_t sequence, size_t offset, size_t count) const {
  if (sequence >= lengths_.size())
    fail(kDatasetOp, "{}: sequence {} was asked for, there are {}", prefix_, sequence, lengths_.size());
  const auto length = static_cast<size_t>(lengths_[sequence]);
  if (offset > length || count > length - offset)
    fail(kDatasetOp, "{}: elements {} to {} of sequence {} were asked for, it has {}", prefix_, offset,
         offset + count, sequence, length);
  return {bin_.bytes().data() + pointer(sequence) + offset * size_of(dtype_), count};
}

void IndexedDataset::read(size_t sequence, size_t offset, std::span<int64_t> out) const {
  copy_as(dtype_, part(sequence, offset, out.size()).first, out);
}

void IndexedDataset::read(size_t sequence, size_t offset, std::span<int32_t> out) const {
  copy_as(dtype_, part(sequence, offset, out.size()).first, out);
}

std::span<const std::byte> IndexedDataset::bytes(size_t sequence) const {
  const Part all =
      part(sequence, 0, sequence < lengths_.size() ? static_cast<size_t>(lengths_[sequence]) : 0);
  return {all.first, all.count * size_of(dtype_)};
}

DType token_dtype(int64_t vocabulary) { return vocabulary < 65500 ? DType::u16 : DType::i32; }

}  // namespace mindspeed
