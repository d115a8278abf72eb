#include "front/formats/indexed/builder.h"

#include <cstring>
#include <limits>

#include "front/base/error.h"
#include "front/formats/indexed/idx_layout.h"
#include "front/formats/indexed_dataset.h"

namespace mindspeed {
namespace {

constexpr std::string_view kBuilderOp = "indexed data";
constexpr size_t kCopyPiece = size_t{4} << 20;

DType supported(DType dtype, const std::string& prefix) {
  if (!idx::code_of(dtype))
    fail(kBuilderOp, "{}: {} has no code in an .idx; use int32, uint16 or another integer type", prefix,
         display_name(dtype));
  return dtype;
}

template <class T>
std::span<const std::byte> raw(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// Appends `tokens` as To; throws Error on a value outside its range.
template <class To, class T>
void narrow(std::span<const T> tokens, std::string& out) {
  const size_t begin = out.size();
  out.resize(begin + tokens.size() * sizeof(To));
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto value = static_cast<To>(tokens[i]);
    if (static_cast<T>(value) != tokens[i] || (value < To{}) != (tokens[i] < 0))
      fail(kBuilderOp, "token {} does not fit the element type ({} to {}); choose a wider one", tokens[i],
           std::numeric_limits<To>::lowest(), std::numeric_limits<To>::max());
    std::memcpy(out.data() + begin + i * sizeof(To), &value, sizeof(To));
  }
}

}  // namespace

IndexedDatasetBuilder::IndexedDatasetBuilder(const std::string& prefix, DType dtype)
    : prefix_(prefix),
      dtype_(supported(dtype, prefix)),
      bin_(prefix + ".bin"),
      idx_(prefix + ".idx"),
      lengths_(prefix + ".idx"),
      document_ends_(prefix + ".idx") {}

template <class T>
void IndexedDatasetBuilder::add_tokens(std::span<const T> tokens) {
  scratch_.clear();
  switch (dtype_) {
    case DType::u8:
      narrow<uint8_t>(tokens, scratch_);
      break;
    case DType::i8:
      narrow<int8_t>(tokens, scratch_);
      break;
    case DType::i16:
      narrow<int16_t>(tokens, scratch_);
      break;
    case DType::u16:
      narrow<uint16_t>(tokens, scratch_);
      break;
    case DType::i32:
      narrow<int32_t>(tokens, scratch_);
      break;
    case DType::i64:
      narrow<int64_t>(tokens, scratch_);
      break;
    default:
      fail(kBuilderOp, "{}: integers were given for elements of type {}", prefix_, display_name(dtype_));
  }
  add_raw({reinterpret_cast<const std::byte*>(scratch_.data()), scratch_.size()});
}

void IndexedDatasetBuilder::add_sequence(std::span<const int32_t> tokens) { add_tokens(tokens); }
void IndexedDatasetBuilder::add_sequence(std::span<const int64_t> tokens) { add_tokens(tokens); }

void IndexedDatasetBuilder::add_raw(std::span<const std::byte> elements) {
  if (elements.size() % size_of(dtype_) != 0)
    throw std::logic_error("IndexedDatasetBuilder::add_raw: not a whole number of elements");
  add_length(elements.size() / size_of(dtype_));
  bin_.write(elements);
}

void IndexedDatasetBuilder::add_length(uint64_t elements) {
  if (elements > static_cast<uint64_t>(INT32_MAX))
    fail(kBuilderOp,
         "{}: a sequence of {} elements; an .idx holds lengths below 2^31, cut the text into documents",
         prefix_, elements);
  lengths_.append(raw(static_cast<int32_t>(elements)));
  ++sequences_;
}

void IndexedDatasetBuilder::end_document() {
  document_ends_.append(raw(static_cast<int64_t>(sequences_)));
  ++documents_;
  ended_ = sequences_;
}

void IndexedDatasetBuilder::add_file(const std::string& prefix) {
  const IndexedDataset part(prefix);
  if (part.dtype() != dtype_)
    fail(kBuilderOp, "{} holds {}, but {} is written as {}; make all parts with one element type", prefix,
         display_name(part.dtype()), prefix_, display_name(dtype_));
  if (ended_ != sequences_) throw std::logic_error("IndexedDatasetBuilder::add_file inside a document");
  const auto base = static_cast<int64_t>(sequences_);
  for (const int32_t length : part.sequence_lengths()) add_length(static_cast<uint64_t>(length));
  for (size_t d = 1; d <= part.documents(); ++d) document_ends_.append(raw(base + part.document_index(d)));
  documents_ += part.documents();
  ended_ = sequences_;
  for (auto rest = part.all_bytes(); !rest.empty(); rest = rest.subspan(std::min(kCopyPiece, rest.size())))
    bin_.write(rest.first(std::min(kCopyPiece, rest.size())));
}

void IndexedDatasetBuilder::finish() {
  if (ended_ != sequences_) end_document();
  idx_.write(idx::kMagic);
  idx_.write(raw(idx::kVersion));
  idx_.write(raw(idx::code_of(dtype_).value()));
  idx_.write(raw(sequences_));
  idx_.write(raw(documents_ + 1));
  lengths_.drain([&](auto piece) { idx_.write(piece); });
  uint64_t pointer = 0;
  lengths_.drain([&](auto piece) {
    for (size_t i = 0; i < piece.size(); i += 4) {
      int32_t length = 0;
      std::memcpy(&length, piece.data() + i, 4);
      idx_.write(raw(pointer));
      pointer = idx::next_pointer(pointer, length, size_of(dtype_)).value();
    }
  });
  if (pointer != bin_.size()) throw std::logic_error("IndexedDatasetBuilder: lengths and bytes disagree");
  idx_.write(raw(int64_t{0}));
  document_ends_.drain([&](auto piece) { idx_.write(piece); });
  // Between the two renames a reader must not see a new .bin with an old .idx.
  std::error_code ignored;
  fs::remove(prefix_ + ".idx", ignored);
  bin_.commit();
  idx_.commit();
}

}  // namespace mindspeed
