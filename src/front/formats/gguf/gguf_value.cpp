#include "front/formats/gguf/gguf_value.h"

#include <array>

#include "front/base/error.h"

namespace mindspeed {
namespace {

[[noreturn]] void wrong_type(std::string_view key, GgufType type, std::string_view needed) {
  fail("gguf", "\"{}\" is of type {}; {} was needed", key, name_of(type), needed);
}

}  // namespace

std::string_view name_of(GgufType type) {
  constexpr std::array<std::string_view, 13> names{"uint8",  "int8",    "uint16", "int16",  "uint32",
                                                   "int32",  "float32", "bool",   "string", "array",
                                                   "uint64", "int64",   "float64"};
  const auto code = static_cast<size_t>(type);
  return code < names.size() ? names[code] : "unknown";
}

int64_t GgufValue::as_int(std::string_view key) const {
  if (const auto* value = std::get_if<int64_t>(&storage_)) return *value;
  const auto* value = std::get_if<uint64_t>(&storage_);
  if (value == nullptr || *value > static_cast<uint64_t>(INT64_MAX))
    wrong_type(key, type_, "an integer below 2^63");
  return static_cast<int64_t>(*value);
}

double GgufValue::as_double(std::string_view key) const {
  if (const auto* value = std::get_if<double>(&storage_)) return *value;
  if (const auto* value = std::get_if<int64_t>(&storage_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<uint64_t>(&storage_)) return static_cast<double>(*value);
  wrong_type(key, type_, "a number");
}

bool GgufValue::as_bool(std::string_view key) const {
  if (const auto* value = std::get_if<bool>(&storage_)) return *value;
  wrong_type(key, type_, "a bool");
}

const std::string& GgufValue::as_string(std::string_view key) const {
  if (const auto* value = std::get_if<std::string>(&storage_)) return *value;
  wrong_type(key, type_, "a string");
}

const GgufArray& GgufValue::as_array(std::string_view key) const {
  if (const auto* value = std::get_if<GgufArray>(&storage_)) return *value;
  wrong_type(key, type_, "an array");
}

std::vector<std::string> GgufValue::as_strings(std::string_view key) const {
  std::vector<std::string> result;
  for (const GgufValue& value : as_array(key).values) result.push_back(value.as_string(key));
  return result;
}

std::vector<int64_t> GgufValue::as_ints(std::string_view key) const {
  std::vector<int64_t> result;
  for (const GgufValue& value : as_array(key).values) result.push_back(value.as_int(key));
  return result;
}

std::vector<double> GgufValue::as_doubles(std::string_view key) const {
  std::vector<double> result;
  for (const GgufValue& value : as_array(key).values) result.push_back(value.as_double(key));
  return result;
}

}  // namespace mindspeed
