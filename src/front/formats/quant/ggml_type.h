// Element types of GGUF tensors: blocks of quantised values. Names and block layouts are ggml's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mindspeed {

enum class GgmlType : uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q2_k = 10,
  q3_k = 11,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  q8_k = 15,
  iq4_nl = 20,
  i8 = 24,
  i16 = 25,
  i32 = 26,
  i64 = 27,
  f64 = 28,
  bf16 = 30,
  mxfp4 = 39,
};

struct GgmlTypeInfo {
  uint32_t code;
  std::string_view name;    // "Q4_K"
  uint32_t block_elements;  // values per block
  uint32_t block_bytes;
  bool decodable;  // dequantize() supports it
};

// What is known about a type code, also for types that cannot be decoded here; nullptr for an unknown code.
const GgmlTypeInfo* find_ggml_type(uint32_t code);
// The same for a known type.
const GgmlTypeInfo& ggml_type_info(GgmlType type);

}  // namespace mindspeed
