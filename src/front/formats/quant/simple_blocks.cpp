// Blocks of 32 values. Byte layouts are written beside each function as [bytes: content].
#include <array>
#include <bit>
#include <cstring>

#include "front/base/dtype.h"
#include "front/formats/quant/blocks.h"

namespace mindspeed::ggml {
namespace {

constexpr int kHalf = 16;  // value i shares a byte with value i + 16

// 4-bit codes of the non-linear types.
constexpr std::array<int8_t, 16> kIq4Values{-127, -104, -83, -65, -49, -35, -22, -10,
                                            1,    13,   25,  38,  53,  69,  89,  113};
constexpr std::array<int8_t, 16> kE2m1Doubled{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

uint32_t word_at(const uint8_t* p) {
  uint32_t word = 0;
  std::memcpy(&word, p, 4);
  return word;
}

// The 5-bit codes of a block whose fifth bits stand in `high`, bit i for value i.
void five_bit_codes(uint32_t high, const uint8_t* low, int* codes) {
  for (int i = 0; i < kHalf; ++i) {
    codes[i] = (low[i] & 0x0f) | static_cast<int>((high >> i) & 1u) << 4;
    codes[i + kHalf] = (low[i] >> 4) | static_cast<int>((high >> (i + kHalf)) & 1u) << 4;
  }
}

}  // namespace

float half_at(const uint8_t* p) { return half_to_float(static_cast<uint16_t>(p[0] | p[1] << 8)); }

// [2: d][16: nibbles]
void decode_q4_0(const uint8_t* block, float* out) {
  const float d = half_at(block);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = d * static_cast<float>((block[2 + i] & 0x0f) - 8);
    out[i + kHalf] = d * static_cast<float>((block[2 + i] >> 4) - 8);
  }
}

// [2: d][2: m][16: nibbles]
void decode_q4_1(const uint8_t* block, float* out) {
  const float d = half_at(block), m = half_at(block + 2);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = d * static_cast<float>(block[4 + i] & 0x0f) + m;
    out[i + kHalf] = d * static_cast<float>(block[4 + i] >> 4) + m;
  }
}

// [2: d][4: fifth bits][16: nibbles]
void decode_q5_0(const uint8_t* block, float* out) {
  const float d = half_at(block);
  int codes[2 * kHalf];
  five_bit_codes(word_at(block + 2), block + 6, codes);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = d * static_cast<float>(codes[i] - 16);
}

// [2: d][2: m][4: fifth bits][16: nibbles]
void decode_q5_1(const uint8_t* block, float* out) {
  const float d = half_at(block), m = half_at(block + 2);
  int codes[2 * kHalf];
  five_bit_codes(word_at(block + 4), block + 8, codes);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = d * static_cast<float>(codes[i]) + m;
}

// [2: d][32: int8]
void decode_q8_0(const uint8_t* block, float* out) {
  const float d = half_at(block);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = d * static_cast<float>(static_cast<int8_t>(block[2 + i]));
}

// [2: d][16: nibbles, codes of kIq4Values]
void decode_iq4_nl(const uint8_t* block, float* out) {
  const float d = half_at(block);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = d * static_cast<float>(kIq4Values[block[2 + i] & 0x0f]);
    out[i + kHalf] = d * static_cast<float>(kIq4Values[block[2 + i] >> 4]);
  }
}

// [1: exponent e][16: nibbles, codes of E2M1]. The table holds twice the value, so the scale is 2^(e - 128).
void decode_mxfp4(const uint8_t* block, float* out) {
  const uint32_t e = block[0];
  const float d = std::bit_cast<float>(e < 2 ? 0x00200000u << e : (e - 1) << 23);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = d * static_cast<float>(kE2m1Doubled[block[1 + i] & 0x0f]);
    out[i + kHalf] = d * static_cast<float>(kE2m1Doubled[block[1 + i] >> 4]);
  }
}

}  // namespace mindspeed::ggml
