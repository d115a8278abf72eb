#include "front/formats/npy.h"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/formats/detail/extent.h"

namespace mindspeed {
namespace {

constexpr std::string_view kNpyOp = "npy";
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;
constexpr size_t kGrowthDigits = 21;  // room that numpy leaves for the first dimension to grow in place

struct Name {
  DType dtype;
  std::string_view text;
};
constexpr std::array kNames{Name{DType::i16, "<i2"}, Name{DType::i32, "<i4"},    Name{DType::i64, "<i8"},
                            Name{DType::u32, "<u4"}, Name{DType::u16, "<u2"},    Name{DType::u64, "<u8"},
                            Name{DType::f32, "<f4"}, Name{DType::f64, "<f8"},    Name{DType::u8, "|u1"},
                            Name{DType::i8, "|i1"},  Name{DType::boolean, "|b1"}};

std::string_view name_of(DType dtype) {
  for (const Name& row : kNames)
    if (row.dtype == dtype) return row.text;
  fail(kNpyOp, "{} has no NumPy type", display_name(dtype));
}

// "(3,)", "(3, 2)" as Python prints tuples.
std::string tuple_text(std::span<const int64_t> shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

// What stands after "'key': " up to the comma that ends it (tuples are taken whole); empty if the key is
// absent.
std::string_view value_of(std::string_view dict, std::string_view key) {
  const size_t at = dict.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = trim(dict.substr(at + key.size() + 3));
  const size_t end = rest.starts_with("(") ? rest.find(')') : rest.find_first_of(",}");
  if (end == std::string_view::npos) return {};
  return trim(rest.substr(0, rest.starts_with("(") ? end + 1 : end));
}

std::optional<std::vector<int64_t>> parse_tuple(std::string_view text) {
  std::vector<int64_t> shape;
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const auto parts = split(text.substr(1, text.size() - 2), ',');
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = trim(parts[i]);
    if (part.empty() && i + 1 == parts.size()) break;  // "(3,)" and "()"
    int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || value < 0) return std::nullopt;
    shape.push_back(value);
  }
  return shape;
}

}  // namespace

NpyFile::NpyFile(const fs::path& path) : file_(path) {
  const auto bytes = file_.bytes();
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!all.starts_with(kMagic) || all.size() < 12)
    fail(kNpyOp, "{} does not begin with \"\\x93NUMPY\"; it is no .npy file or is truncated", path.string());
  const int version = static_cast<uint8_t>(all[6]);
  if (version != 1 && version != 2)
    fail(kNpyOp, "{}: format version {}; 1 and 2 are read here", path.string(), version);
  uint32_t length = 0;  // 16 bits in version 1
  std::memcpy(&length, all.data() + 8, version == 1 ? 2 : 4);
  const size_t header_at = version == 1 ? 10 : 12;
  if (length > all.size() - header_at)
    fail(kNpyOp, "{} is truncated: the header needs {} bytes, {} follow", path.string(), length,
         all.size() - header_at);
  data_start_ = header_at + length;
  const std::string_view dict = all.substr(header_at, length);
  const auto shape = parse_tuple(value_of(dict, "shape"));
  const std::string_view descr = value_of(dict, "descr"), order = value_of(dict, "fortran_order");
  if (!shape || descr.size() < 2 || order.empty())
    fail(kNpyOp, "{}: unreadable header {}", path.string(), trim(dict));
  if (order != "False") fail(kNpyOp, "{}: Fortran order; C order is needed", path.string());
  bool known = false;
  for (const Name& row : kNames)
    if (descr.substr(1, descr.size() - 2) == row.text) {
      dtype_ = row.dtype;
      known = true;
    }
  if (!known) fail(kNpyOp, "{}: element type {} is not supported", path.string(), descr);
  shape_ = *shape;
  if (shape_.empty() || shape_.size() > 2)
    fail(kNpyOp, "{}: {} dimensions; one or two are needed", path.string(), shape_.size());
  const auto needed = byte_count(shape_, size_of(dtype_));
  if (!needed || *needed != all.size() - data_start_)
    fail(kNpyOp, "{}: shape {} of {} does not fit {} bytes of data; the file is truncated or damaged",
         path.string(), format_shape(shape_), display_name(dtype_), all.size() - data_start_);
  if (data_start_ % size_of(dtype_) != 0) fail(kNpyOp, "{}: the data is not aligned", path.string());
}

void NpyFile::check_type(DType dtype) const {
  if (dtype != dtype_)
    fail(kNpyOp, "{} holds {}; {} was needed", file_.path().string(), display_name(dtype_),
         display_name(dtype));
}

std::string npy_header(DType dtype, std::span<const int64_t> shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", name_of(dtype),
                                 tuple_text(shape));
  if (!shape.empty()) dict.append(kGrowthDigits - std::to_string(shape[0]).size(), ' ');
  const size_t before = kMagic.size() + 4;
  dict.append(kAlignment - (before + dict.size() + 1) % kAlignment, ' ');
  dict += '\n';
  const auto length = static_cast<uint16_t>(dict.size());
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + dict;
}

void write_npy(const fs::path& path, DType dtype, std::span<const int64_t> shape,
               std::span<const std::byte> elements) {
  if (byte_count(shape, size_of(dtype)) != elements.size())
    throw std::logic_error("write_npy: the bytes do not match the shape");
  AtomicFile file(path);
  file.write(npy_header(dtype, shape));
  file.write(elements);
  file.commit();
}

}  // namespace mindspeed
