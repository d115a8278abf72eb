#include "front/hub/access.h"

#include <algorithm>
#include <cctype>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

using Environment = std::map<std::string, std::string>;

std::string variable(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto at = environment.find(name); at != environment.end() && !at->second.empty())
      return at->second;
  return "";
}

bool is_true(const std::string& value) {
  std::string lower = value;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower == "1" || lower == "on" || lower == "yes" || lower == "true";
}

fs::path home(const Environment& environment, const std::string& path) {
  return path.starts_with("~/") ? fs::path(variable(environment, {"HOME"})) / path.substr(2) : fs::path(path);
}

fs::path cache_root(const Environment& environment) {
  if (const std::string root = variable(environment, {"XDG_CACHE_HOME"}); !root.empty())
    return home(environment, root);
  const std::string folder = variable(environment, {"HOME"});
  return (folder.empty() ? fs::temp_directory_path() : fs::path(folder)) / ".cache";
}

std::string endpoint(std::string address) {
  if (!address.starts_with("https://") && !address.starts_with("http://"))
    refuse("hub", "'{}' came as the address of the hub; https://HOST was needed", address);
  while (address.ends_with('/')) address.pop_back();
  return address;
}

void use_hugging_face(const Environment& environment, HubAccess& access) {
  const std::string address = variable(environment, {"HF_ENDPOINT"});
  access.endpoint = endpoint(address.empty() ? "https://huggingface.co" : address);
  const std::string own = variable(environment, {"HF_HOME"});
  const fs::path folder = own.empty() ? cache_root(environment) / "huggingface" : home(environment, own);
  const std::string cache = variable(environment, {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"});
  access.cache = cache.empty() ? folder / "hub" : home(environment, cache);
  access.token = variable(environment, {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"});
  const std::string file = variable(environment, {"HF_TOKEN_PATH"});
  const fs::path path = file.empty() ? folder / "token" : home(environment, file);
  if (access.token.empty() && fs::exists(path)) access.token = read_file(path);
  if (access.revision.empty()) access.revision = "main";
}

void use_model_scope(const Environment& environment, HubAccess& access) {
  const std::string domain = variable(environment, {"MODELSCOPE_DOMAIN"});
  const std::string address = variable(environment, {"MODELSCOPE_ENDPOINT"});
  access.endpoint = endpoint(!address.empty()  ? address
                             : !domain.empty() ? "https://" + domain
                                               : "https://modelscope.cn");
  const std::string cache = variable(environment, {"MODELSCOPE_CACHE"});
  access.cache = cache.empty() ? cache_root(environment) / "modelscope" / "hub" : home(environment, cache);
  access.token = variable(environment, {"MODELSCOPE_API_TOKEN"});
  if (access.revision.empty()) access.revision = "master";
}

// It becomes a part of addresses and the name of a file in the cache.
void check_revision(const std::string& revision) {
  const auto ordinary = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_./+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (revision.size() > 200 || !std::all_of(revision.begin(), revision.end(), ordinary) ||
      revision.find("..") != revision.npos || revision.find("//") != revision.npos || revision.front() == '/' ||
      revision.front() == '-' || revision.back() == '/')
    refuse("hub", "--revision '{}' came; a branch, a tag or a commit was needed", revision);
}

bool allowed_name(std::string_view name) {
  const auto ordinary = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 96 && name.front() != '.' && name.front() != '-' &&
         name.back() != '.' && name.find("..") == name.npos && name.find("--") == name.npos &&
         std::all_of(name.begin(), name.end(), ordinary);
}

}  // namespace

HubAccess hub_access(const Settings& settings, const Environment& environment) {
  HubAccess access;
  access.model_scope = settings.text("hub") == "modelscope";
  access.revision = settings.text("revision");
  access.offline =
      settings.flag("offline") || is_true(variable(environment, {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"}));
  access.certificates = variable(environment, {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"});
  if (access.model_scope)
    use_model_scope(environment, access);
  else
    use_hugging_face(environment, access);
  check_revision(access.revision);
  access.token = std::string(trim(access.token));
  if (std::any_of(access.token.begin(), access.token.end(), [](unsigned char c) { return c <= ' '; }))
    refuse("hub", "the access token holds spaces or line breaks; one word was needed");
  return access;
}

std::optional<HubReference> hub_reference(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  HubReference out;
  std::string_view name = text.substr(slash + 1);
  if (const size_t colon = name.find(':'); colon != name.npos) {
    out.variant = name.substr(colon + 1);
    name = name.substr(0, colon);
    if (!allowed_name(out.variant)) return std::nullopt;
  }
  if (!allowed_name(text.substr(0, slash)) || !allowed_name(name)) return std::nullopt;
  out.repository = std::string(text.substr(0, slash + 1)) + std::string(name);
  return out;
}

}  // namespace mindspeed
