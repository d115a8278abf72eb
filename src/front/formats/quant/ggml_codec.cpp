#include "front/formats/quant/ggml_codec.h"

#include "front/base/dtype.h"
#include "front/base/error.h"
#include "front/formats/quant/blocks.h"

namespace mindspeed {
namespace {

ggml::Decoder decoder_of(GgmlType type) {
  switch (type) {
    case GgmlType::q4_0:
      return ggml::decode_q4_0;
    case GgmlType::q4_1:
      return ggml::decode_q4_1;
    case GgmlType::q5_0:
      return ggml::decode_q5_0;
    case GgmlType::q5_1:
      return ggml::decode_q5_1;
    case GgmlType::q8_0:
      return ggml::decode_q8_0;
    case GgmlType::q2_k:
      return ggml::decode_q2_k;
    case GgmlType::q3_k:
      return ggml::decode_q3_k;
    case GgmlType::q4_k:
      return ggml::decode_q4_k;
    case GgmlType::q5_k:
      return ggml::decode_q5_k;
    case GgmlType::q6_k:
      return ggml::decode_q6_k;
    case GgmlType::q8_k:
      return ggml::decode_q8_k;
    case GgmlType::iq4_nl:
      return ggml::decode_iq4_nl;
    case GgmlType::mxfp4:
      return ggml::decode_mxfp4;
    default:
      return nullptr;
  }
}

}  // namespace

void dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> out) {
  const GgmlTypeInfo& info = ggml_type_info(type);
  if (!info.decodable)
    fail("dequantize",
         "type {} cannot be decoded to floating point here; convert the file to F16 or Q8_0 first",
         info.name);
  const size_t count = blocks.size() / info.block_bytes;
  if (blocks.size() % info.block_bytes != 0 || out.size() != count * info.block_elements)
    fail("dequantize", "{} bytes of {} do not give {} values", blocks.size(), info.name, out.size());
  const auto as = [&](DType dtype) { convert(blocks, dtype, std::as_writable_bytes(out), DType::f32); };
  if (type == GgmlType::f32) return as(DType::f32);
  if (type == GgmlType::f16) return as(DType::f16);
  if (type == GgmlType::bf16) return as(DType::bf16);
  if (type == GgmlType::f64) return as(DType::f64);
  const ggml::Decoder decode = decoder_of(type);
  const auto* block = reinterpret_cast<const uint8_t*>(blocks.data());
  for (size_t i = 0; i < count; ++i)
    decode(block + i * info.block_bytes, out.data() + i * info.block_elements);
}

}  // namespace mindspeed
