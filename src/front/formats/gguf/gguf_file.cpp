#include "front/formats/gguf/gguf_file.h"

#include <algorithm>
#include <cstring>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"
#include "front/formats/gguf/gguf_reader.h"
#include "front/formats/quant/ggml_codec.h"

namespace mindspeed {
namespace {

constexpr std::string_view kGgufOp = "gguf";
constexpr uint64_t kSmallestPair = 8 + 4 + 1;        // empty key, type, one byte
constexpr uint64_t kSmallestTensor = 8 + 4 + 4 + 8;  // empty name, no dimensions, type, offset

uint32_t read_version(GgufReader& in) {
  if (in.number<uint32_t>() != 0x46554747)
    fail(kGgufOp, "{}: does not begin with \"GGUF\"; this is no GGUF file", in.origin());
  const auto version = in.number<uint32_t>();
  if (version != 2 && version != 3)
    fail(kGgufOp, "{}: GGUF version {}; versions 2 and 3 are read here{}", in.origin(), version,
         (version & 0xffff) == 0 ? " (the file seems to be big-endian)" : "");
  return version;
}

uint64_t read_alignment(const GgufValue* value, const std::string& origin) {
  if (value == nullptr) return 32;
  const int64_t alignment = value->as_int("general.alignment");
  if (alignment <= 0 || alignment > (int64_t{1} << 30) || (alignment & (alignment - 1)) != 0)
    fail(kGgufOp, "{}: general.alignment {} is not a power of two up to 2^30", origin, alignment);
  return static_cast<uint64_t>(alignment);
}

// Calls run(first element, elements, position in the output) for every row segment of a box.
template <class Run>
void for_each_row(const std::vector<int64_t>& shape, std::span<const int64_t> start,
                  std::span<const int64_t> size, Run&& run) {
  const size_t last = shape.size() - 1;
  int64_t rows = 1;
  for (size_t d = 0; d < last; ++d) rows *= size[d];
  for (int64_t r = 0; r < rows; ++r) {
    int64_t rest = r, row = 0, stride = 1;
    for (size_t d = last; d-- > 0;) {
      row += (start[d] + rest % size[d]) * stride;
      rest /= size[d];
      stride *= shape[d];
    }
    run(row * shape[last] + start[last], size[last], r * size[last]);
  }
}

}  // namespace

GgufFile::GgufFile(const fs::path& path) : file_(path) {
  GgufReader in(file_.bytes(), path.string());
  version_ = read_version(in);
  const uint64_t tensors = in.count("tensors", kSmallestTensor);
  const uint64_t pairs = in.count("metadata pairs", kSmallestPair);
  for (uint64_t i = 0; i < pairs; ++i) {
    std::string key = in.string();
    if (!metadata_.emplace(key, in.value()).second)
      fail(kGgufOp, "{}: the metadata key \"{}\" stands twice", in.origin(), key);
    keys_.push_back(std::move(key));
  }
  for (uint64_t i = 0; i < tensors; ++i) {
    tensors_.push_back(in.tensor());
    if (!index_.emplace(tensors_.back().name, i).second)
      fail(kGgufOp, "{}: two tensors are called \"{}\"", in.origin(), tensors_.back().name);
  }
  alignment_ = read_alignment(find("general.alignment"), in.origin());
  data_start_ = (in.position() + alignment_ - 1) / alignment_ * alignment_;
  check_ranges();
}

void GgufFile::check_ranges() const {
  const std::string origin = path().string();
  const uint64_t size = file_.bytes().size();
  const uint64_t available = size > data_start_ ? size - data_start_ : 0;
  std::vector<const GgufTensor*> sorted;
  for (const GgufTensor& tensor : tensors_) {
    const auto end = checked_add(tensor.offset, tensor.bytes);
    if (!end || *end > available)
      fail(kGgufOp,
           "{}: tensor \"{}\" needs bytes {} to {} of the data, but the file holds {}; it is truncated or "
           "damaged",
           origin, tensor.name, tensor.offset, end.value_or(UINT64_MAX), available);
    if (tensor.offset % alignment_ != 0)
      fail(kGgufOp,
           "{}: tensor \"{}\" begins at byte {} of the data, which is no multiple of the alignment {}",
           origin, tensor.name, tensor.offset, alignment_);
    if (tensor.bytes > 0) sorted.push_back(&tensor);
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->offset < sorted[i - 1]->offset + sorted[i - 1]->bytes)
      fail(kGgufOp, "{}: the data of tensors \"{}\" and \"{}\" overlap at byte {}", origin,
           sorted[i - 1]->name, sorted[i]->name, sorted[i]->offset);
}

const GgufValue* GgufFile::find(std::string_view key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? nullptr : &found->second;
}

const GgufValue& GgufFile::at(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) fail(kGgufOp, "{}: no metadata key \"{}\"", path().string(), key);
  return *value;
}

const GgufTensor* GgufFile::find_tensor(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

std::span<const std::byte> GgufFile::bytes(const GgufTensor& tensor) const {
  return file_.bytes().subspan(data_start_ + tensor.offset, tensor.bytes);
}

void GgufFile::read_box(const GgufTensor& tensor, std::span<const int64_t> start,
                        std::span<const int64_t> size, std::span<float> out) const {
  const auto& shape = tensor.shape;
  bool inside = start.size() == shape.size() && size.size() == shape.size();
  for (size_t d = 0; inside && d < shape.size(); ++d)
    inside = start[d] >= 0 && size[d] >= 0 && start[d] <= shape[d] && size[d] <= shape[d] - start[d];
  const auto elements = inside ? byte_count(size, 1) : std::nullopt;
  if (!elements || *elements != out.size())
    fail(kGgufOp, "{}: start {} size {} is no box of tensor \"{}\" of shape {} with {} values",
         path().string(), format_shape(start), format_shape(size), tensor.name, format_shape(shape),
         out.size());
  if (out.empty()) return;
  if (shape.empty()) return dequantize(tensor.type, bytes(tensor), out);
  const GgmlTypeInfo& info = ggml_type_info(tensor.type);
  const auto stored = bytes(tensor);
  const int64_t block = info.block_elements;
  std::vector<float> decoded;
  for_each_row(shape, start, size, [&](int64_t first, int64_t count, int64_t target) {
    const int64_t first_block = first / block, blocks = (first + count + block - 1) / block - first_block;
    const auto raw = stored.subspan(static_cast<size_t>(first_block) * info.block_bytes,
                                    static_cast<size_t>(blocks) * info.block_bytes);
    const auto place = out.subspan(static_cast<size_t>(target), static_cast<size_t>(count));
    if (blocks * block == count) return dequantize(tensor.type, raw, place);
    decoded.resize(static_cast<size_t>(blocks * block));
    dequantize(tensor.type, raw, decoded);
    std::copy_n(decoded.begin() + (first - first_block * block), count, place.begin());
  });
}

std::vector<float> GgufFile::read(const GgufTensor& tensor) const {
  const uint64_t elements = byte_count(tensor.shape, 1).value_or(0);
  std::vector<float> out(elements);
  dequantize(tensor.type, bytes(tensor), out);
  return out;
}

}  // namespace mindspeed
