#include "front/formats/detail/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"

namespace mindspeed::safetensors {
namespace {

constexpr std::string_view kHeaderOp = "safetensors";

// Unsigned integers of a JSON array that fit a signed 64-bit number.
std::vector<int64_t> integers(const Json& array, std::string_view what, std::string_view origin) {
  std::vector<int64_t> result;
  bool good = array.is_array();
  for (size_t i = 0; good && i < array.size(); ++i) {
    good = array[i].is_number_unsigned() && array[i].get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX);
    if (good) result.push_back(array[i].get<int64_t>());
  }
  if (!good) fail(kHeaderOp, "{}: {} is not a list of non-negative integers", origin, what);
  return result;
}

SafetensorsMetadata parse_metadata(const Json& object, std::string_view origin) {
  std::map<std::string, std::string> metadata;
  if (!object.is_object()) fail(kHeaderOp, "{}: __metadata__ is not an object", origin);
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) fail(kHeaderOp, "{}: __metadata__ \"{}\" is not a string", origin, key);
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

DType parse_dtype(const Json& value, std::string_view name, std::string_view origin) {
  if (!value.is_string()) fail(kHeaderOp, "{}: tensor \"{}\": dtype is not a string", origin, name);
  try {
    return dtype_from_safetensors(value.get_ref<const std::string&>());
  } catch (const Error&) {
    fail(kHeaderOp,
         "{}: tensor \"{}\" has the unknown dtype \"{}\"; known are F64 F32 F16 BF16 F8_E4M3 F8_E5M2 "
         "I64 I32 I16 I8 U64 U32 U16 U8 BOOL",
         origin, name, value.get_ref<const std::string&>());
  }
}

SafetensorsEntry parse_entry(const std::string& name, const Json& object, uint64_t data_bytes,
                             std::string_view origin) {
  if (!object.is_object() || object.size() != 3 || !object.contains("dtype") || !object.contains("shape") ||
      !object.contains("data_offsets"))
    fail(kHeaderOp, "{}: tensor \"{}\" needs exactly the keys dtype, shape and data_offsets", origin, name);
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = parse_dtype(object["dtype"], name, origin);
  entry.shape = integers(object["shape"], fmt::format("shape of tensor \"{}\"", name), origin);
  const auto range =
      integers(object["data_offsets"], fmt::format("data_offsets of tensor \"{}\"", name), origin);
  if (range.size() != 2 || range[0] > range[1])
    fail(kHeaderOp, "{}: tensor \"{}\": data_offsets {} are not [begin, end] with begin <= end", origin, name,
         format_shape(range));
  if (static_cast<uint64_t>(range[1]) > data_bytes)
    fail(kHeaderOp,
         "{}: tensor \"{}\" ends at byte {} of the data, but the file holds only {} bytes of data; it is "
         "truncated or damaged, fetch it again",
         origin, name, range[1], data_bytes);
  entry.offset = static_cast<uint64_t>(range[0]);
  entry.bytes = static_cast<uint64_t>(range[1] - range[0]);
  const auto needed = byte_count(entry.shape, size_of(entry.dtype));
  if (!needed || *needed != entry.bytes)
    fail(kHeaderOp, "{}: tensor \"{}\" of shape {} and dtype {} has {} bytes of data; shape x dtype needs {}",
         origin, name, format_shape(entry.shape), safetensors_name(entry.dtype), entry.bytes,
         needed ? fmt::format("{}", *needed) : "more than 2^63");
  return entry;
}

// The ranges, sorted, must tile [0, data_bytes).
void check_coverage(const std::vector<SafetensorsEntry>& entries, uint64_t data_bytes,
                    std::string_view origin) {
  uint64_t end = 0;
  const SafetensorsEntry* previous = nullptr;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.offset < end)
      fail(kHeaderOp, "{}: the data of tensors \"{}\" and \"{}\" overlap at byte {}; the file is damaged",
           origin, previous->name, entry.name, entry.offset);
    if (entry.offset > end)
      fail(kHeaderOp, "{}: hole in the data: bytes {} to {} before tensor \"{}\" belong to no tensor", origin,
           end, entry.offset, entry.name);
    end = entry.offset + entry.bytes;
    previous = &entry;
  }
  if (end != data_bytes)
    fail(kHeaderOp,
         "{}: {} bytes after the last tensor belong to no tensor (the tensors end at {}, the data at {})",
         origin, data_bytes - end, end, data_bytes);
}

}  // namespace

Header parse_header(std::string_view text, uint64_t data_bytes, std::string_view origin) {
  const Json json = parse_json(text, origin);
  if (!json.is_object()) fail(kHeaderOp, "{}: the header is not a JSON object", origin);
  Header header;
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadataKey)
      header.metadata = parse_metadata(value, origin);
    else
      header.entries.push_back(parse_entry(name, value, data_bytes, origin));
  }
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.offset, a.bytes) < std::tuple(b.offset, b.bytes);
  });
  check_coverage(header.entries, data_bytes, origin);
  return header;
}

std::string print_header(const std::vector<SafetensorsEntry>& entries, const SafetensorsMetadata& metadata) {
  std::string text = "{";
  if (metadata)
    text += fmt::format("\"{}\":{},", kMetadataKey,
                        Json(Json::object_t(metadata->begin(), metadata->end())).dump());
  for (const SafetensorsEntry& entry : entries)
    text += fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}},)",
                        Json(entry.name).dump(), safetensors_name(entry.dtype), fmt::join(entry.shape, ","),
                        entry.offset, entry.offset + entry.bytes);
  if (text.back() == ',') text.pop_back();
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace mindspeed::safetensors
