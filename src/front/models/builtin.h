// The families of this program; one file each, one line each in registry.cpp.
#pragma once

#include "front/models/family.h"

namespace mindspeed::models {

Family llama();
Family qwen2();
Family qwen3();
Family mistral();

}  // namespace mindspeed::models
