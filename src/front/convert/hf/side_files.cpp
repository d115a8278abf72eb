#include "front/convert/hf/side_files.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/convert/gguf/side_files.h"
#include "front/models/registry.h"

namespace mindspeed {
namespace {

// Files that belong to a model and not to its weights or to the folder's history.
bool is_side_file(const std::string& name) {
  constexpr std::array<std::string_view, 18> exact{"config.json",
                                                   "generation_config.json",
                                                   "tokenizer.json",
                                                   "tokenizer_config.json",
                                                   "vocab.json",
                                                   "special_tokens_map.json",
                                                   "added_tokens.json",
                                                   "merges.txt",
                                                   "vocab.txt",
                                                   "tokenizer.model",
                                                   "spiece.model",
                                                   "tekken.json",
                                                   "chat_template.json",
                                                   "preprocessor_config.json",
                                                   "LICENSE",
                                                   "LICENSE.txt",
                                                   "LICENSE.md",
                                                   "NOTICE"};
  return std::find(exact.begin(), exact.end(), name) != exact.end() || name.ends_with(".jinja") ||
         name.ends_with(".tiktoken");
}

std::string dtype_name(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return "bfloat16";
    case DType::f16:
      return "float16";
    case DType::f64:
      return "float64";
    default:
      return "float32";
  }
}

// Only the dtype key changes, and only if it is wrong; else the text stays as it is, byte for byte.
std::string with_dtype(const std::string& text, std::optional<DType> stored, const std::string& origin) {
  const std::optional<DType> declared = models::config_dtype(parse_json(text, origin), origin);
  if (!stored || declared == stored) return text;
  OrderedJson config = parse_ordered_json(text, origin);
  for (const char* key : {"dtype", "torch_dtype"})
    if (config.contains(key)) config[key] = dtype_name(*stored);
  if (!declared) {
    config.erase("torch_dtype");
    config["dtype"] = dtype_name(*stored);
  }
  return config.dump(2) + "\n";
}

void check_same_model(const std::string& text, const ModelSpec& model, const std::string& origin) {
  const Json there =
      models::config_from_model(models::model_from_config(parse_json(text, origin), origin), DType::f32);
  const Json ours = models::config_from_model(model, DType::f32);
  for (const auto& [key, value] : ours.items())
    if (there.value(key, Json()) != value)
      refuse("export", "{}: \"{}\" is {} there and {} in the model to export; give the folder of this model",
             origin, key, there.value(key, Json()).dump(), value.dump());
}

std::map<std::string, std::string> read_folder(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& item : fs::directory_iterator(folder)) {
    const std::string name = item.path().filename().string();
    if (item.is_regular_file() && is_side_file(name)) files[name] = read_file(item.path());
    if (!item.is_directory() || name != "additional_chat_templates") continue;
    for (const auto& inner : fs::directory_iterator(item.path()))
      if (inner.is_regular_file())
        files[name + "/" + inner.path().filename().string()] = read_file(inner.path());
  }
  if (!files.contains("config.json")) refuse("export", "{}: there is no config.json", folder.string());
  return files;
}

}  // namespace

std::map<std::string, std::string> side_files(const fs::path& model_dir, const ModelSpec& model,
                                              std::optional<DType> stored) {
  if (model_dir.empty())
    return {{"config.json", models::config_from_model(model, stored.value_or(DType::f32)).dump(2) + "\n"}};
  const bool gguf = model_dir.extension() == ".gguf";
  const fs::path folder = fs::is_directory(model_dir) ? model_dir : model_dir.parent_path();
  std::map<std::string, std::string> files = gguf ? gguf_side_files(model_dir) : read_folder(folder);
  const std::string origin = gguf ? model_dir.string() : (folder / "config.json").string();
  std::string& config = files.at("config.json");
  check_same_model(config, model, origin);
  config = with_dtype(config, stored, origin);
  return files;
}

}  // namespace mindspeed
