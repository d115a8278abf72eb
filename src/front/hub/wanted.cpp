#include "front/hub/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

constexpr std::string_view kIndex = "model.safetensors.index.json";

bool at_top(const std::string& path) { return path.find('/') == path.npos; }

bool is_side_file(const std::string& path) {
  if (path.starts_with("additional_chat_templates/")) return path.ends_with(".jinja");
  if (!at_top(path)) return false;
  for (const char* ending : {".json", ".jinja", ".model", ".tiktoken"})
    if (path.ends_with(ending)) return true;
  return path == "merges.txt" || path == "vocab.txt" || path.starts_with("tokenizer.model.");
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

template <class Test>
std::vector<RemoteFile> those(const std::vector<RemoteFile>& files, const Test& test) {
  std::vector<RemoteFile> out;
  std::copy_if(files.begin(), files.end(), std::back_inserter(out),
               [&](const RemoteFile& file) { return test(file.path); });
  return out;
}

// Mistral's repositories have their weights twice: consolidated*.safetensors is the other naming.
std::vector<RemoteFile> weights(const std::vector<RemoteFile>& files) {
  auto all = those(files, [](const std::string& path) { return at_top(path) && path.ends_with(".safetensors"); });
  auto own = those(all, [](const std::string& path) { return !path.starts_with("consolidated"); });
  return own.empty() ? all : own;
}

std::string names(const std::vector<RemoteFile>& files) {
  std::vector<std::string> out;
  for (const RemoteFile& file : files) out.push_back(file.path);
  return join(out, ", ");
}

std::vector<RemoteFile> gguf(const std::vector<RemoteFile>& files, const HubReference& reference) {
  auto found = those(files, [&](const std::string& path) {
    return path.ends_with(".gguf") && lower(path).find(lower(reference.variant)) != path.npos;
  });
  if (found.size() == 1) return found;
  const auto all = those(files, [](const std::string& path) { return path.ends_with(".gguf"); });
  if (all.empty()) return {};
  refuse("hub", "{} has the files {}; {} of them fit{}. Name one: {}:Q4_K_M", reference.repository, names(all),
         found.size(), reference.variant.empty() ? "" : fmt::format(" \"{}\"", reference.variant),
         reference.repository);
}

}  // namespace

std::vector<RemoteFile> wanted_files(const std::vector<RemoteFile>& files, const HubReference& reference,
                                     HubParts parts) {
  std::vector<RemoteFile> model = reference.variant.empty() ? weights(files) : std::vector<RemoteFile>{};
  if (model.empty())
    if (auto one = gguf(files, reference); !one.empty()) return one;
  auto out = those(files, is_side_file);
  if (parts == HubParts::tokenizer) return out;
  if (model.empty())
    refuse("hub", "{} has no .safetensors and no .gguf weights{}; its files are {}", reference.repository,
           reference.variant.empty() ? "" : fmt::format(" named \"{}\"", reference.variant), names(files));
  out.insert(out.end(), model.begin(), model.end());
  return out;
}

std::string missing_file(const fs::path& snapshot, const HubReference& reference, HubParts parts) {
  std::set<std::string> present;
  if (fs::is_directory(snapshot))
    for (const auto& entry : fs::directory_iterator(snapshot))
      if (fs::exists(entry.path())) present.insert(entry.path().filename().string());
  const auto any = [&](std::string_view ending) {
    return std::any_of(present.begin(), present.end(),
                       [&](const std::string& name) { return name.ends_with(ending); });
  };
  if (!reference.variant.empty() || (!present.contains("config.json") && any(".gguf"))) {
    const bool found = std::any_of(present.begin(), present.end(), [&](const std::string& name) {
      return name.ends_with(".gguf") && lower(name).find(lower(reference.variant)) != name.npos;
    });
    return found ? "" : reference.variant + ".gguf";
  }
  if (!present.contains("config.json")) return "config.json";
  if (parts == HubParts::tokenizer) return "";
  if (!present.contains(std::string(kIndex))) return any(".safetensors") ? "" : "model.safetensors";
  const Json index = read_json(snapshot / kIndex);
  for (const auto& [tensor, file] : index.at("weight_map").items())
    if (!present.contains(file.get<std::string>())) return file.get<std::string>();
  return "";
}

}  // namespace mindspeed
