// What a family of models is: everything that the rest of the program needs to know about it, as data and
// three pure functions. A new family made of known parts is one file that returns this struct, and one line
// in registry.cpp.
#pragma once

#include <string>
#include <vector>

#include "front/base/json.h"
#include "front/plan/model_spec.h"
#include "front/plan/name_map.h"

namespace mindspeed::models {

class ConfigReader;

struct Preset {
  std::string name;    // "debug", "qwen3-0.6b"; real sizes have names that are unique over all families
  std::string config;  // text of config.json
};

struct Family {
  std::string name;                          // model_type in config.json
  std::string architecture;                  // the only entry of "architectures" that is accepted
  std::string gguf_arch;                     // general.architecture in GGUF files; empty = not known there
  std::vector<std::string> spec_modules;     // MindSpeed's --spec modules that mean this family
  std::vector<std::string> mindspeed_types;  // MindSpeed's --model-type-hf names
  std::vector<Preset> presets;               // the first is "debug"
  std::vector<std::string> harmless;  // config keys, beyond the common ones, that never change a result

  // config.json -> spec tree. Throws Error (exit code 2) naming key, value and what is accepted.
  ModelSpec (*spec)(ConfigReader& config) = nullptr;
  // The inverse, for models that started from a preset: a complete config.json without token ids and dtype.
  Json (*config)(const ModelSpec& model) = nullptr;
  // Names in Hugging Face folders, and in GGUF files.
  NameMap (*hf_names)(const ModelSpec& model) = nullptr;
  NameMap (*gguf_names)(const ModelSpec& model) = nullptr;
};

}  // namespace mindspeed::models
