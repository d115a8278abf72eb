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

constexpr const char* kTemplates = "additional_chat_templates";

// Of a tokenizer: vocabulary, settings and chat templates (names relative to the folder).
bool is_tokenizer_file(const std::string& name) {
  constexpr std::array<std::string_view, 11> exact{
      "tokenizer.json", "tokenizer_config.json", "vocab.json",        "special_tokens_map.json",
      "merges.txt",     "added_tokens.json",     "vocab.txt",         "tokenizer.model",
      "spiece.model",   "tekken.json",           "chat_template.json"};
  return std::find(exact.begin(), exact.end(), name) != exact.end() || name.ends_with(".jinja") ||
         name.ends_with(".tiktoken") || name.starts_with(std::string(kTemplates) + "/");
}

// Files that belong to a model and not to its weights or to the folder's history.
bool is_side_file(const std::string& name) {
  constexpr std::array<std::string_view, 7> exact{"config.json",
                                                  "generation_config.json",
                                                  "preprocessor_config.json",
                                                  "LICENSE",
                                                  "LICENSE.txt",
                                                  "LICENSE.md",
                                                  "NOTICE"};
  return std::find(exact.begin(), exact.end(), name) != exact.end() || is_tokenizer_file(name);
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
    if (!item.is_directory() || name != kTemplates) continue;
    for (const auto& inner : fs::directory_iterator(item.path()))
      if (inner.is_regular_file())
        files[name + "/" + inner.path().filename().string()] = read_file(inner.path());
  }
  return files;
}

fs::path folder_of(const fs::path& path) { return fs::is_directory(path) ? path : path.parent_path(); }

std::map<std::string, std::string> read_origin(const fs::path& path) {
  return path.extension() == ".gguf" ? gguf_side_files(path) : read_folder(folder_of(path));
}

void replace_tokenizer(std::map<std::string, std::string>& files, const fs::path& tokenizer) {
  std::erase_if(files, [](const auto& file) { return is_tokenizer_file(file.first); });
  for (auto& [name, content] : read_origin(tokenizer))
    if (is_tokenizer_file(name)) files[name] = std::move(content);
}

}  // namespace

std::map<std::string, std::string> side_files(const SideFileOrigin& from, const ModelSpec& model,
                                              std::optional<DType> stored) {
  std::map<std::string, std::string> files;
  if (from.model.empty())
    files["config.json"] = models::config_from_model(model, stored.value_or(DType::f32)).dump(2) + "\n";
  else
    files = read_origin(from.model);
  if (!from.tokenizer.empty() && from.tokenizer != from.model) replace_tokenizer(files, from.tokenizer);
  if (from.model.empty()) return files;

  const bool gguf = from.model.extension() == ".gguf";
  const std::string origin = gguf ? from.model.string() : (folder_of(from.model) / "config.json").string();
  if (!files.contains("config.json")) refuse("export", "{} does not exist", origin);
  std::string& config = files.at("config.json");
  check_same_model(config, model, origin);
  config = with_dtype(config, stored, origin);
  return files;
}

}  // namespace mindspeed
