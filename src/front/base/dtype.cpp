#include "front/base/dtype.h"

#include <array>
#include <bit>
#include <cstring>

#include "front/base/error.h"

namespace mindspeed {
namespace {

struct Row {
  DType dtype;
  size_t size;
  std::string_view safetensors;
  std::string_view display;
};

constexpr std::array<Row, 15> kTable{{{DType::f64, 8, "F64", "fp64"},
                                      {DType::f32, 4, "F32", "fp32"},
                                      {DType::f16, 2, "F16", "fp16"},
                                      {DType::bf16, 2, "BF16", "bf16"},
                                      {DType::f8_e4m3, 1, "F8_E4M3", "fp8_e4m3"},
                                      {DType::f8_e5m2, 1, "F8_E5M2", "fp8_e5m2"},
                                      {DType::i64, 8, "I64", "int64"},
                                      {DType::i32, 4, "I32", "int32"},
                                      {DType::i16, 2, "I16", "int16"},
                                      {DType::i8, 1, "I8", "int8"},
                                      {DType::u64, 8, "U64", "uint64"},
                                      {DType::u32, 4, "U32", "uint32"},
                                      {DType::u16, 2, "U16", "uint16"},
                                      {DType::u8, 1, "U8", "uint8"},
                                      {DType::boolean, 1, "BOOL", "bool"}}};

const Row& row(DType dtype) { return kTable[static_cast<size_t>(dtype)]; }

template <class T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

double load_as_double(const std::byte* p, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return load<double>(p);
    case DType::f32:
      return load<float>(p);
    case DType::f16:
      return half_to_float(load<uint16_t>(p));
    case DType::bf16:
      return bf16_to_float(load<uint16_t>(p));
    default:
      break;
  }
  fail("convert", "no conversion from {}; supported are fp64, fp32, fp16 and bf16", display_name(dtype));
}

void store_double(std::byte* p, DType dtype, double value) {
  uint16_t bits = 0;
  const float narrow = static_cast<float>(value);
  switch (dtype) {
    case DType::f64:
      std::memcpy(p, &value, 8);
      return;
    case DType::f32:
      std::memcpy(p, &narrow, 4);
      return;
    case DType::f16:
      bits = float_to_half(narrow);
      break;
    case DType::bf16:
      bits = float_to_bf16(narrow);
      break;
    default:
      fail("convert", "no conversion to {}; supported are fp64, fp32, fp16 and bf16", display_name(dtype));
  }
  std::memcpy(p, &bits, 2);
}

}  // namespace

size_t size_of(DType dtype) { return row(dtype).size; }
std::string_view safetensors_name(DType dtype) { return row(dtype).safetensors; }
std::string_view display_name(DType dtype) { return row(dtype).display; }

DType dtype_from_safetensors(std::string_view name) {
  for (const Row& r : kTable)
    if (r.safetensors == name) return r.dtype;
  fail("dtype", "unknown safetensors dtype \"{}\"", name);
}

DType dtype_from_string(std::string_view name) {
  std::string_view plain = name.starts_with("torch.") ? name.substr(6) : name;
  if (plain == "float32" || plain == "float") plain = "fp32";
  if (plain == "bfloat16") plain = "bf16";
  if (plain == "float16" || plain == "half") plain = "fp16";
  if (plain == "float64" || plain == "double") plain = "fp64";
  for (const Row& r : kTable)
    if (r.display == plain) return r.dtype;
  fail("dtype", "unknown dtype \"{}\"; expected float32, bfloat16, float16, ...", name);
}

float bf16_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t float_to_bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);  // quiet NaN
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float half_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1fu) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float subnormal = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(subnormal) | sign);
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to infinity from 65520 on
  if (magnitude < 0x38800000u) {                        // subnormal: let the FPU round
    const float scaled = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(scaled) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23);
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

void convert(std::span<const std::byte> in, DType from, std::span<std::byte> out, DType to) {
  const size_t count = in.size() / size_of(from);
  if (in.size() % size_of(from) != 0 || out.size() != count * size_of(to))
    fail("convert", "{} bytes of {} do not fit {} bytes of {}", in.size(), display_name(from), out.size(),
         display_name(to));
  if (from == to) {
    if (!in.empty()) std::memcpy(out.data(), in.data(), in.size());
    return;
  }
  if (from == DType::bf16 && to == DType::f32) {
    for (size_t i = 0; i < count; ++i) {
      const float value = bf16_to_float(load<uint16_t>(in.data() + 2 * i));
      std::memcpy(out.data() + 4 * i, &value, 4);
    }
    return;
  }
  if (from == DType::f32 && to == DType::bf16) {
    for (size_t i = 0; i < count; ++i) {
      const uint16_t bits = float_to_bf16(load<float>(in.data() + 4 * i));
      std::memcpy(out.data() + 2 * i, &bits, 2);
    }
    return;
  }
  for (size_t i = 0; i < count; ++i)
    store_double(out.data() + i * size_of(to), to, load_as_double(in.data() + i * size_of(from), from));
}

}  // namespace mindspeed
