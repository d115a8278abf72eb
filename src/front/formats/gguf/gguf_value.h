// A metadata value of a GGUF file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mindspeed {

// Codes as stored in files.
enum class GgufType : uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
std::string_view name_of(GgufType type);

class GgufValue;
struct GgufArray {
  GgufType element = GgufType::u8;
  std::vector<GgufValue> values;
};

// Integers keep their sign class, floats are widened. The accessors throw Error naming `key` and the type
// found when the value is of another kind; `key` is only for that message.
class GgufValue {
 public:
  using Storage = std::variant<uint64_t, int64_t, double, bool, std::string, GgufArray>;
  GgufValue(GgufType type, Storage storage) : type_(type), storage_(std::move(storage)) {}

  GgufType type() const { return type_; }
  const Storage& storage() const { return storage_; }

  int64_t as_int(std::string_view key) const;    // any integer type that fits
  double as_double(std::string_view key) const;  // floats and integers
  bool as_bool(std::string_view key) const;
  const std::string& as_string(std::string_view key) const;
  const GgufArray& as_array(std::string_view key) const;
  std::vector<std::string> as_strings(std::string_view key) const;
  std::vector<int64_t> as_ints(std::string_view key) const;
  std::vector<double> as_doubles(std::string_view key) const;

 private:
  GgufType type_;
  Storage storage_;
};

}  // namespace mindspeed
