// ModelScope's protocol:
//   GET /api/v1/models/ORG/NAME/repo/files?Revision=R&Recursive=True   names, sizes and SHA-256 of all files
//   GET /api/v1/models/ORG/NAME/repo?Revision=R&FilePath=PATH          a file
// It tells no commit of the whole repository: ours is made of the names and hashes of its files.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/hub/hub.h"

namespace mindspeed {
namespace {

constexpr size_t kLongest = 3000;  // the server cuts longer lists without a word

class ModelScopeHub : public Hub {
 public:
  explicit ModelScopeHub(const HubAccess& access) : access_(access) {}

  RemoteSnapshot list(HttpClient& client, const std::string& repository) const override {
    const std::string folder = fmt::format("{}/api/v1/models/{}/repo", access_.endpoint, repository);
    const std::string revision = url_path(access_.revision);
    const std::string url = fmt::format("{}/files?Revision={}&Recursive=True", folder, revision);
    const Json answer = parse_json(hub_answer(client, access_, url, repository), url);
    try {
      return read(answer, repository, folder, revision);
    } catch (const Json::exception& e) {
      fail("hub", "{}: the answer is no list of files ({})", url, e.what());
    }
  }

 private:
  RemoteSnapshot read(const Json& answer, const std::string& repository, const std::string& folder,
                      const std::string& revision) const {
    if (answer.value("Code", 200) != 200)
      refuse("hub", "{} is no file or folder here, and {} does not give it: {}", repository, access_.endpoint,
             answer.value("Message", "no reason"));
    const Json& entries = answer.at("Data").at("Files");
    if (entries.size() >= kLongest)
      refuse("hub", "{} has {} files or more, and the hub lists no more than that; fetch it by hand", repository,
             kLongest);
    RemoteSnapshot out;
    for (const Json& entry : entries) {
      if (entry.value("Type", "blob") == "tree") continue;
      RemoteFile file;
      file.path = entry.at("Path").get<std::string>();
      file.url = fmt::format("{}?Revision={}&FilePath={}", folder, revision, url_path(file.path));
      file.size = entry.at("Size").get<uint64_t>();
      file.sha256 = entry.value("Sha256", "");
      if (!is_hex(file.sha256, 64))
        fail("hub", "{}: {} tells no hash of {}; nothing unchecked is kept", repository, access_.endpoint, file.path);
      add_remote_file(out, std::move(file), access_);
    }
    std::sort(out.files.begin(), out.files.end(),
              [](const RemoteFile& a, const RemoteFile& b) { return a.path < b.path; });
    std::string all;
    for (const RemoteFile& file : out.files) all += fmt::format("{} {}\n", file.sha256, file.path);
    out.commit = sha256_hex(all).substr(0, 40);
    return out;
  }

  const HubAccess& access_;
};

}  // namespace

std::unique_ptr<Hub> model_scope_hub(const HubAccess& access) {
  return std::make_unique<ModelScopeHub>(access);
}

}  // namespace mindspeed
