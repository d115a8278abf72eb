#include "engine/device/scalar_type.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace mindspeed::device {
namespace {

constexpr std::array<std::pair<DType, at::ScalarType>, 5> kTypes{{{DType::f32, at::kFloat},
                                                                  {DType::f64, at::kDouble},
                                                                  {DType::bf16, at::kBFloat16},
                                                                  {DType::f16, at::kHalf},
                                                                  {DType::i64, at::kLong}}};

}  // namespace

at::ScalarType scalar_type(DType dtype) {
  for (const auto& [name, type] : kTypes)
    if (name == dtype) return type;
  throw std::logic_error("no tensor holds " + std::string(display_name(dtype)));
}

DType dtype_of(at::ScalarType type) {
  for (const auto& [name, scalar] : kTypes)
    if (scalar == type) return name;
  throw std::logic_error(std::string("a tensor type that has no place in a plan or file: ") +
                         at::toString(type));
}

}  // namespace mindspeed::device
