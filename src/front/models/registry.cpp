#include "front/models/registry.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/models/builtin.h"
#include "front/models/common/config_reader.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed::models {
namespace {

constexpr std::string_view kDefaultFamily = "qwen3";  // of "--preset debug"

std::string nearest_hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return fmt::format("{}known: {}", near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near),
                     join(known, ", "));
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& f : families()) names.push_back(f.name);
  return names;
}

// Keys that every family answers in the same way.
void check_common(ConfigReader& config, const Family& family) {
  for (const std::string& architecture : config.texts("architectures"))
    if (architecture != family.architecture)
      config.reject(fmt::format("architecture \"{}\" is not available; the {} family is \"{}\"", architecture,
                                family.name, family.architecture));
  constexpr std::string_view quantised = "the weights are quantised; give the unquantised model";
  config.only("quantization_config", "null", quantised);
  config.only("compression_config", "null", quantised);
  config.only("auto_map", "null",
              "this model runs code of its own; only the built-in families are available");
  config.only("pruned_heads", "{}", "pruned models are not available");
}

std::optional<DType> read_dtype(ConfigReader& config) {
  const auto parse = [&](std::string_view key) -> std::optional<DType> {
    const std::string name = config.text(key, "");
    if (name.empty()) return std::nullopt;
    try {
      return dtype_from_string(name);
    } catch (const Error&) {
      config.reject(fmt::format("\"{}\" is \"{}\"; known: float32, bfloat16, float16", key, name));
    }
  };
  const std::optional<DType> modern = parse("dtype"), old = parse("torch_dtype");
  if (modern && old && *modern != *old) config.reject("\"dtype\" and \"torch_dtype\" differ; keep one");
  return modern ? modern : old;
}

const Preset* find_preset(const Family& family, std::string_view name) {
  for (const Preset& preset : family.presets)
    if (preset.name == name) return &preset;
  return nullptr;
}

// Sizes that are each possible can be absurd together. The largest published models have 2^42 parameters.
void check_total(ConfigReader& config, const ModelSpec& model) {
  double total = 0;
  for (const ParameterSpec& p : parameter_table(model)) {
    double elements = 1;
    for (const int64_t extent : p.shape) elements *= static_cast<double>(extent);
    total += elements;
  }
  if (total > 0x1p50)
    config.reject(fmt::format(
        "its sizes make {:.1e} parameters; needed: at most {:.1e}; one of them is wrong", total, 0x1p50));
}

bool is_debug(std::string_view name) { return name.starts_with("debug"); }

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      llama(),
      qwen2(),
      qwen3(),
      mistral(),
  };
  return all;
}

const Family& family(std::string_view name) {
  for (const Family& f : families())
    if (f.name == name) return f;
  refuse("models", "model type \"{}\" is unknown; {}", name, nearest_hint(name, family_names()));
}

const Family& family_of_spec_module(std::string_view module) {
  std::vector<std::string> known;
  for (const Family& f : families()) {
    if (f.name == module) return f;
    for (const std::string& m : f.spec_modules) {
      if (m == module) return f;
      known.push_back(m);
    }
  }
  refuse("models", "--spec {} is unknown; {}", module, nearest_hint(module, known));
}

const Family& family_of_mindspeed_type(std::string_view name) {
  std::vector<std::string> known;
  for (const Family& f : families()) {
    if (f.name == name) return f;
    for (const std::string& type : f.mindspeed_types) {
      if (type == name) return f;
      known.push_back(type);
    }
  }
  refuse("models", "--model-type-hf {} is unknown; {}", name, nearest_hint(name, known));
}

ModelSpec model_from_config(const Json& config, std::string_view origin) {
  ConfigReader reader(config, origin);
  const std::string type = reader.text("model_type", "");
  if (type.empty())
    reader.reject(fmt::format("\"model_type\" is missing; known: {}", join(family_names(), ", ")));
  const Family& f = family(type);
  check_common(reader, f);
  read_dtype(reader);
  ModelSpec model = f.spec(reader);
  model.family = f.name;
  reader.finish(f.harmless);
  check_total(reader, model);
  return model;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Family& f : families())
    for (const Preset& preset : f.presets)
      names.push_back(is_debug(preset.name) ? f.name + ":" + preset.name : preset.name);
  return names;
}

Json preset_config(std::string_view name) {
  const size_t colon = name.find(':');
  const std::string_view in = colon == std::string_view::npos ? "" : name.substr(0, colon);
  const std::string_view wanted = colon == std::string_view::npos ? name : name.substr(colon + 1);
  for (const Family& f : families()) {
    const bool here = in.empty() ? !is_debug(wanted) || f.name == kDefaultFamily : f.name == in;
    const Preset* preset = here ? find_preset(f, wanted) : nullptr;
    if (preset != nullptr) return parse_json(preset->config, fmt::format("preset {}", name));
  }
  refuse("models", "preset \"{}\" is unknown; {}", name, nearest_hint(name, preset_names()));
}

std::optional<DType> config_dtype(const Json& config, std::string_view origin) {
  ConfigReader reader(config, origin);
  return read_dtype(reader);
}

Json config_from_model(const ModelSpec& model, DType dtype) {
  const Family& f = family(model.family);
  Json config = f.config(model);
  config["architectures"] = {f.architecture};
  config["dtype"] = dtype == DType::bf16 ? "bfloat16" : dtype == DType::f16 ? "float16" : "float32";
  return config;
}

}  // namespace mindspeed::models
