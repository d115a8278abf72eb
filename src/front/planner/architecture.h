// Megatron's architecture flags: as a config.json, and compared with a model that came from elsewhere.
#pragma once

#include <string_view>

#include "front/base/json.h"
#include "front/config/settings.h"
#include "front/plan/model_spec.h"

namespace mindspeed {

// True if flags describe a model (--num-layers was given).
bool describes_model(const Settings& settings);

// The config.json that the flags describe, in the words of the family (--spec, --model-type-hf, or recognised
// by its switches). Throws Error (exit 2) for missing sizes and for what no built-in family can be.
Json config_from_flags(const Settings& settings);

// Compares every architecture flag with the model. With `complete`, the flags are the only description, so
// switches that are absent count as off. Throws Error (exit 2) with both values and where the model came
// from.
void require_agreement(const Settings& settings, const ModelSpec& model, std::string_view origin,
                       bool complete);

}  // namespace mindspeed
