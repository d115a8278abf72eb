// Element types of tensors on disk and in memory, with conversions on raw bytes. Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mindspeed {

enum class DType : uint8_t {
  f64,
  f32,
  f16,
  bf16,
  f8_e4m3,
  f8_e5m2,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean
};

// Bytes per element.
size_t size_of(DType dtype);

// The name used in safetensors headers ("F32", "BF16", "I64", ...).
std::string_view safetensors_name(DType dtype);

// Inverse of safetensors_name. Throws Error on an unknown name.
DType dtype_from_safetensors(std::string_view name);

// Accepts "float32", "bfloat16", "torch.bfloat16", "fp32", "bf16", ... Throws Error on an unknown name.
DType dtype_from_string(std::string_view name);

// "fp32", "bf16", "fp16", "int64", ...
std::string_view display_name(DType dtype);

// Element conversions; bf16 and fp16 round to nearest even, NaN stays NaN.
float bf16_to_float(uint16_t bits);
uint16_t float_to_bf16(float value);
float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);

// Index of the first element that is NaN or infinite, if there is one. Types other than f64, f32, f16 and
// bf16 have none here.
std::optional<size_t> first_non_finite(std::span<const std::byte> bytes, DType dtype);

// Converts `in` (elements of type `from`) into `out` (elements of type `to`); equal types copy bytes.
// Supports all pairs of f64, f32, f16, bf16. Throws Error on other unequal pairs or unequal counts.
void convert(std::span<const std::byte> in, DType from, std::span<std::byte> out, DType to);

}  // namespace mindspeed
