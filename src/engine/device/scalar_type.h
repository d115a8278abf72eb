// The element types of files and plans (DType) and those of tensors are the same ones under two names.
#pragma once

#include <ATen/ATen.h>

#include "front/base/dtype.h"

namespace mindspeed::device {

// Throws std::logic_error for a type that has no counterpart here.
at::ScalarType scalar_type(DType dtype);
DType dtype_of(at::ScalarType type);

}  // namespace mindspeed::device
