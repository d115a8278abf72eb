#include "front/formats/gguf/gguf_reader.h"

#include <algorithm>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"

namespace mindspeed {
namespace {

constexpr std::string_view kReaderOp = "gguf";
constexpr int kMaxDepth = 8;  // of nested arrays
constexpr uint32_t kMaxDimensions = 8;

// The fewest bytes that a value of the type takes.
uint64_t smallest(GgufType type) {
  switch (type) {
    case GgufType::u8:
    case GgufType::i8:
    case GgufType::boolean:
      return 1;
    case GgufType::u16:
    case GgufType::i16:
      return 2;
    case GgufType::u32:
    case GgufType::i32:
    case GgufType::f32:
      return 4;
    case GgufType::array:
      return 12;
    default:
      return 8;
  }
}

}  // namespace

void GgufReader::need(uint64_t bytes) const {
  if (bytes > bytes_.size() - position_)
    fail(kReaderOp,
         "{}: the header needs {} bytes at byte {}, but the file ends at {}; it is truncated or damaged",
         origin_, bytes, position_, bytes_.size());
}

uint64_t GgufReader::count(std::string_view what, uint64_t item_bytes) {
  const auto n = number<uint64_t>();
  if (n > (bytes_.size() - position_) / item_bytes)
    fail(kReaderOp, "{}: {} {} cannot fit the {} bytes that follow; the file is truncated or damaged",
         origin_, n, what, bytes_.size() - position_);
  return n;
}

std::string GgufReader::string() {
  const uint64_t length = count("characters of a string", 1);
  std::string text(reinterpret_cast<const char*>(bytes_.data()) + position_, length);
  position_ += length;
  return text;
}

GgufType GgufReader::type() {
  const auto code = number<uint32_t>();
  if (code > static_cast<uint32_t>(GgufType::f64))
    fail(kReaderOp, "{}: unknown type {} of a metadata value at byte {}", origin_, code, position_ - 4);
  return static_cast<GgufType>(code);
}

GgufValue GgufReader::value(int depth) { return value_of(type(), depth); }

GgufValue GgufReader::value_of(GgufType type, int depth) {
  switch (type) {
    case GgufType::u8:
      return {type, uint64_t{number<uint8_t>()}};
    case GgufType::i8:
      return {type, int64_t{number<int8_t>()}};
    case GgufType::u16:
      return {type, uint64_t{number<uint16_t>()}};
    case GgufType::i16:
      return {type, int64_t{number<int16_t>()}};
    case GgufType::u32:
      return {type, uint64_t{number<uint32_t>()}};
    case GgufType::i32:
      return {type, int64_t{number<int32_t>()}};
    case GgufType::u64:
      return {type, number<uint64_t>()};
    case GgufType::i64:
      return {type, number<int64_t>()};
    case GgufType::f32:
      return {type, double{number<float>()}};
    case GgufType::f64:
      return {type, number<double>()};
    case GgufType::boolean:
      return {type, number<uint8_t>() != 0};
    case GgufType::string:
      return {type, string()};
    case GgufType::array:
      break;
  }
  if (depth >= kMaxDepth)
    fail(kReaderOp, "{}: arrays nested deeper than {} at byte {}", origin_, kMaxDepth, position_);
  GgufArray array{this->type(), {}};
  const uint64_t n = count("elements of an array", smallest(array.element));
  array.values.reserve(n);
  for (uint64_t i = 0; i < n; ++i) array.values.push_back(value_of(array.element, depth + 1));
  return {type, std::move(array)};
}

GgufTensor GgufReader::tensor() {
  GgufTensor tensor;
  tensor.name = string();
  const auto dimensions = number<uint32_t>();
  if (dimensions > kMaxDimensions)
    fail(kReaderOp, "{}: tensor \"{}\" has {} dimensions; at most {} are allowed", origin_, tensor.name,
         dimensions, kMaxDimensions);
  for (uint32_t d = 0; d < dimensions; ++d) tensor.shape.push_back(static_cast<int64_t>(number<uint64_t>()));
  std::reverse(tensor.shape.begin(), tensor.shape.end());
  const auto code = number<uint32_t>();
  tensor.offset = number<uint64_t>();
  const GgmlTypeInfo* info = find_ggml_type(code);
  if (info == nullptr)
    fail(kReaderOp, "{}: tensor \"{}\" has the unknown type {}", origin_, tensor.name, code);
  tensor.type = static_cast<GgmlType>(code);
  const auto elements = byte_count(tensor.shape, 1);
  const int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
  if (!elements || row % info->block_elements != 0)
    fail(kReaderOp, "{}: tensor \"{}\" of shape {} is not made of {} blocks of {} values per row", origin_,
         tensor.name, format_shape(tensor.shape), info->name, info->block_elements);
  const auto bytes = checked_multiply(*elements / info->block_elements, info->block_bytes);
  if (!bytes) fail(kReaderOp, "{}: tensor \"{}\" has more than 2^63 bytes", origin_, tensor.name);
  tensor.bytes = *bytes;
  return tensor;
}

}  // namespace mindspeed
