// The list of model families, and the ways to get a spec tree from a name or a config.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/dtype.h"
#include "front/base/json.h"
#include "front/models/family.h"
#include "front/plan/model_spec.h"

namespace mindspeed::models {

// All families, in the order of registry.cpp.
const std::vector<Family>& families();

// By model_type ("qwen3"). An unknown name is refused with the nearest one and the list.
const Family& family(std::string_view name);

// By MindSpeed's names: --spec module ("mindspeed_llm.tasks.models.spec.qwen3_spec") or --model-type-hf
// ("qwen25").
const Family& family_of_spec_module(std::string_view module);
const Family& family_of_mindspeed_type(std::string_view name);

// config.json -> spec tree. Every key is read, harmless by list, or refused by name; `origin` (a path) stands
// in errors.
ModelSpec model_from_config(const Json& config, std::string_view origin);

// "debug" (qwen3's), "llama:debug", "qwen3-0.6b". Throws Error with the nearest name and the list.
Json preset_config(std::string_view name);
// Every name that preset_config accepts: "qwen3:debug", "qwen3-0.6b", ...
std::vector<std::string> preset_names();

// Storage type that config.json declares ("dtype", older "torch_dtype"); nothing when absent.
std::optional<DType> config_dtype(const Json& config, std::string_view origin);

// A config.json for a model without one (presets): all keys that model_from_config reads, architectures and
// dtype.
Json config_from_model(const ModelSpec& model, DType dtype);

}  // namespace mindspeed::models
