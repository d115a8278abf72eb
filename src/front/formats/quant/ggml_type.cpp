#include "front/formats/quant/ggml_type.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace mindspeed {
namespace {

// Types marked false are measured (so that a file that holds one can be listed) but not decoded.
constexpr std::array kTable{
    GgmlTypeInfo{0, "F32", 1, 4, true},          GgmlTypeInfo{1, "F16", 1, 2, true},
    GgmlTypeInfo{2, "Q4_0", 32, 18, true},       GgmlTypeInfo{3, "Q4_1", 32, 20, true},
    GgmlTypeInfo{6, "Q5_0", 32, 22, true},       GgmlTypeInfo{7, "Q5_1", 32, 24, true},
    GgmlTypeInfo{8, "Q8_0", 32, 34, true},       GgmlTypeInfo{10, "Q2_K", 256, 84, true},
    GgmlTypeInfo{11, "Q3_K", 256, 110, true},    GgmlTypeInfo{12, "Q4_K", 256, 144, true},
    GgmlTypeInfo{13, "Q5_K", 256, 176, true},    GgmlTypeInfo{14, "Q6_K", 256, 210, true},
    GgmlTypeInfo{15, "Q8_K", 256, 292, true},    GgmlTypeInfo{16, "IQ2_XXS", 256, 66, false},
    GgmlTypeInfo{17, "IQ2_XS", 256, 74, false},  GgmlTypeInfo{18, "IQ3_XXS", 256, 98, false},
    GgmlTypeInfo{19, "IQ1_S", 256, 50, false},   GgmlTypeInfo{20, "IQ4_NL", 32, 18, true},
    GgmlTypeInfo{21, "IQ3_S", 256, 110, false},  GgmlTypeInfo{22, "IQ2_S", 256, 82, false},
    GgmlTypeInfo{23, "IQ4_XS", 256, 136, false}, GgmlTypeInfo{24, "I8", 1, 1, false},
    GgmlTypeInfo{25, "I16", 1, 2, false},        GgmlTypeInfo{26, "I32", 1, 4, false},
    GgmlTypeInfo{27, "I64", 1, 8, false},        GgmlTypeInfo{28, "F64", 1, 8, true},
    GgmlTypeInfo{29, "IQ1_M", 256, 56, false},   GgmlTypeInfo{30, "BF16", 1, 2, true},
    GgmlTypeInfo{34, "TQ1_0", 256, 54, false},   GgmlTypeInfo{35, "TQ2_0", 256, 66, false},
    GgmlTypeInfo{39, "MXFP4", 32, 17, true},
};

}  // namespace

const GgmlTypeInfo* find_ggml_type(uint32_t code) {
  const auto found =
      std::find_if(kTable.begin(), kTable.end(), [&](const auto& row) { return row.code == code; });
  return found == kTable.end() ? nullptr : &*found;
}

const GgmlTypeInfo& ggml_type_info(GgmlType type) {
  const GgmlTypeInfo* info = find_ggml_type(static_cast<uint32_t>(type));
  if (info == nullptr) throw std::logic_error("ggml_type_info: no such type");
  return *info;
}

}  // namespace mindspeed
