// Which hub, as whom, and where its files are kept on this machine.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "front/config/settings.h"

namespace mindspeed {

namespace fs = std::filesystem;

struct HubAccess {
  bool model_scope = false;  // else a hub that speaks Hugging Face's protocol
  std::string endpoint;      // "https://huggingface.co", without a slash at the end
  std::string token;         // empty = anonymous
  std::string revision;      // branch, tag or commit
  fs::path cache;            // folder of models--ORG--NAME/...
  bool offline = false;      // only what the cache holds
  std::string certificates;  // file of trusted certificates; empty = the system's
  std::string user_agent = "mindspeed";
  double pause = 1;  // seconds before the first new attempt; doubles with each one that gains nothing
  int attempts = 6;  // in a row that gain nothing
};

// --hub, --revision and --offline, and the environment that the hubs' own clients read: HF_ENDPOINT, HF_TOKEN,
// HF_TOKEN_PATH, HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, HF_HUB_OFFLINE, TRANSFORMERS_OFFLINE;
// MODELSCOPE_ENDPOINT, MODELSCOPE_DOMAIN, MODELSCOPE_API_TOKEN, MODELSCOPE_CACHE; REQUESTS_CA_BUNDLE,
// CURL_CA_BUNDLE, SSL_CERT_FILE. Proxies (https_proxy, no_proxy) are libcurl's affair. Throws Error (exit 2).
HubAccess hub_access(const Settings& settings, const std::map<std::string, std::string>& environment);

// What a user calls a model on a hub: "ORG/NAME", or "ORG/NAME:Q4_K_M" for one file of a repository of .gguf files.
struct HubReference {
  std::string repository;
  std::string variant;
};

// Nothing for text that cannot be one (paths with more parts, "./x", names that hubs forbid). Whether a path of
// that name exists here is for the caller to ask first.
std::optional<HubReference> hub_reference(std::string_view text);

}  // namespace mindspeed
