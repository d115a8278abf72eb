// Super-blocks of 256 values ("K-quants"). Byte layouts are written beside each function as [bytes: content].
#include <cstring>

#include "front/formats/quant/blocks.h"

namespace mindspeed::ggml {
namespace {

constexpr int kValues = 256;

// Sub-block j's 6-bit scale and minimum out of the 12 bytes that Q4_K and Q5_K share: the first four of each
// lie in the low six bits of bytes 0-3 and 4-7; the rest have their low nibble in bytes 8-11 and two high
// bits in bytes 0-7.
struct ScaleMin {
  int scale, min;
};
ScaleMin scale_min(const uint8_t* packed, int j) {
  if (j < 4) return {packed[j] & 63, packed[j + 4] & 63};
  return {(packed[j + 4] & 0x0f) | (packed[j - 4] >> 6) << 4, (packed[j + 4] >> 4) | (packed[j] >> 6) << 4};
}

// Scale j of Q3_K, -32..31: low nibbles in bytes 0-7, two high bits in bytes 8-11.
int q3_scale(const uint8_t* packed, int j) {
  const int low = j < 8 ? packed[j] & 0x0f : packed[j - 8] >> 4;
  const int high = (packed[8 + j % 4] >> (2 * (j / 4))) & 3;
  return (low | high << 4) - 32;
}

}  // namespace

// [16: scale and minimum nibbles][64: 2-bit codes][2: d][2: dmin]; sub-blocks of 16.
void decode_q2_k(const uint8_t* block, float* out) {
  const float d = half_at(block + 80), dmin = half_at(block + 82);
  for (int i = 0; i < kValues; ++i) {
    const uint8_t packed = block[i / 16];
    const float scale = d * static_cast<float>(packed & 0x0f);
    const float offset = dmin * static_cast<float>(packed >> 4);
    const int code = (block[16 + 32 * (i / 128) + i % 32] >> (2 * (i % 128 / 32))) & 3;
    out[i] = scale * static_cast<float>(code) - offset;
  }
}

// [32: high bits, inverted][64: 2-bit codes][12: scales][2: d]; sub-blocks of 16.
void decode_q3_k(const uint8_t* block, float* out) {
  const float d = half_at(block + 108);
  for (int i = 0; i < kValues; ++i) {
    const float scale = d * static_cast<float>(q3_scale(block + 96, i / 16));
    const int low = (block[32 + 32 * (i / 128) + i % 32] >> (2 * (i % 128 / 32))) & 3;
    const int high = (block[i % 32] >> (i / 32)) & 1;
    out[i] = scale * static_cast<float>(high ? low : low - 4);
  }
}

// [2: d][2: dmin][12: scales and minima][128: nibbles]; sub-blocks of 32.
void decode_q4_k(const uint8_t* block, float* out) {
  const float d = half_at(block), dmin = half_at(block + 2);
  for (int j = 0; j < kValues / 32; ++j) {
    const ScaleMin packed = scale_min(block + 4, j);
    const float scale = d * static_cast<float>(packed.scale), offset = dmin * static_cast<float>(packed.min);
    const uint8_t* codes = block + 16 + 32 * (j / 2);
    for (int i = 0; i < 32; ++i)
      out[32 * j + i] = scale * static_cast<float>(j % 2 ? codes[i] >> 4 : codes[i] & 0x0f) - offset;
  }
}

// [2: d][2: dmin][12: scales and minima][32: fifth bits][128: nibbles]; sub-blocks of 32.
void decode_q5_k(const uint8_t* block, float* out) {
  const float d = half_at(block), dmin = half_at(block + 2);
  for (int j = 0; j < kValues / 32; ++j) {
    const ScaleMin packed = scale_min(block + 4, j);
    const float scale = d * static_cast<float>(packed.scale), offset = dmin * static_cast<float>(packed.min);
    const uint8_t* codes = block + 48 + 32 * (j / 2);
    for (int i = 0; i < 32; ++i) {
      const int low = j % 2 ? codes[i] >> 4 : codes[i] & 0x0f;
      const int high = (block[16 + i] >> j) & 1;
      out[32 * j + i] = scale * static_cast<float>(low | high << 4) - offset;
    }
  }
}

// [128: low nibbles][64: high two bits][16: int8 scales][2: d]; sub-blocks of 16.
void decode_q6_k(const uint8_t* block, float* out) {
  const float d = half_at(block + 208);
  for (int i = 0; i < kValues; ++i) {
    const int half = i / 128, quarter = i % 128 / 32, lane = i % 32;
    const uint8_t low_byte = block[64 * half + 32 * (quarter % 2) + lane];
    const int low = quarter < 2 ? low_byte & 0x0f : low_byte >> 4;
    const int high = (block[128 + 32 * half + lane] >> (2 * quarter)) & 3;
    const float scale = d * static_cast<float>(static_cast<int8_t>(block[192 + i / 16]));
    out[i] = scale * static_cast<float>((low | high << 4) - 32);
  }
}

// [4: d as fp32][256: int8][32: sums, not needed]
void decode_q8_k(const uint8_t* block, float* out) {
  float d = 0;
  std::memcpy(&d, block, 4);
  for (int i = 0; i < kValues; ++i) out[i] = d * static_cast<float>(static_cast<int8_t>(block[4 + i]));
}

}  // namespace mindspeed::ggml
