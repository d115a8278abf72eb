#include "front/hub/hub.h"

#include <fmt/format.h>

#include <algorithm>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr size_t kLongestListing = 64 << 20;

[[noreturn]] void refuse_status(const HubAccess& access, long status, const std::string& repository) {
  const std::string_view variable = access.model_scope ? "MODELSCOPE_API_TOKEN" : "HF_TOKEN";
  if (status == 401 || status == 403 || status == 404)
    refuse("hub",
           "{} is no file or folder here, and {} does not give it at revision {} (HTTP {}): it does not exist, or "
           "it needs an access token in {} ({} came) whose owner has accepted its terms",
           repository, access.endpoint, access.revision, status, variable,
           access.token.empty() ? "none" : "one");
  fail("hub", "{} answers HTTP {} when asked for {}; try again later", access.endpoint, status, repository);
}

}  // namespace

std::string hub_answer(HttpClient& client, const HubAccess& access, const std::string& url,
                       const std::string& repository) {
  std::string body;
  const HttpAnswer answer = client.get_text(url, kLongestListing, body);
  if (!answer.problem.empty())
    throw Unreachable(fmt::format("[hub] {} is no file or folder here, and {} cannot be asked for it: {}", repository,
                                  access.endpoint, answer.problem),
                      kExitUsage);
  if (!answer.ok()) refuse_status(access, answer.status, repository);
  return body;
}

void add_remote_file(RemoteSnapshot& snapshot, RemoteFile file, const HubAccess& access) {
  const fs::path path(file.path);
  const bool plain = !file.path.empty() && file.path.size() < 1024 && path.is_relative() &&
                     std::none_of(file.path.begin(), file.path.end(),
                                  [](unsigned char c) { return c < ' ' || c == '\\' || c == 127; }) &&
                     std::none_of(path.begin(), path.end(),
                                  [](const fs::path& part) { return part == ".." || part == "." || part.empty(); });
  if (!plain)
    fail("hub", "{} names a file '{}' that would lie outside the model's folder; nothing is fetched from it",
         access.endpoint, file.path);
  snapshot.files.push_back(std::move(file));
}

bool is_hex(std::string_view text, size_t length) {
  return text.size() == length && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace mindspeed
