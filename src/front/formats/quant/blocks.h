// One function per block layout: decodes the block at `block` (block_bytes of its type) into `out`
// (block_elements).
#pragma once

#include <cstdint>

namespace mindspeed::ggml {

using Decoder = void (*)(const uint8_t* block, float* out);

// Blocks of 32: one scale (and offset) for all values.
void decode_q4_0(const uint8_t* block, float* out);
void decode_q4_1(const uint8_t* block, float* out);
void decode_q5_0(const uint8_t* block, float* out);
void decode_q5_1(const uint8_t* block, float* out);
void decode_q8_0(const uint8_t* block, float* out);
void decode_iq4_nl(const uint8_t* block, float* out);
void decode_mxfp4(const uint8_t* block, float* out);

// Super-blocks of 256: sub-blocks of 16 or 32 values with quantised scales.
void decode_q2_k(const uint8_t* block, float* out);
void decode_q3_k(const uint8_t* block, float* out);
void decode_q4_k(const uint8_t* block, float* out);
void decode_q5_k(const uint8_t* block, float* out);
void decode_q6_k(const uint8_t* block, float* out);
void decode_q8_k(const uint8_t* block, float* out);

// The fp16 at `p`.
float half_at(const uint8_t* p);

}  // namespace mindspeed::ggml
