// Hugging Face's protocol, which mirrors speak too:
//   GET /api/models/ORG/NAME/revision/REVISION?blobs=true   commit, names, sizes and hashes of all files
//   GET /ORG/NAME/resolve/COMMIT/PATH                        a file, often by a redirect to a store
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/hub/hub.h"

namespace mindspeed {
namespace {

class HuggingFaceHub : public Hub {
 public:
  explicit HuggingFaceHub(const HubAccess& access) : access_(access) {}

  RemoteSnapshot list(HttpClient& client, const std::string& repository) const override {
    const std::string url = fmt::format("{}/api/models/{}/revision/{}?blobs=true", access_.endpoint, repository,
                                        encoded_revision(access_.revision));
    const Json answer = parse_json(hub_answer(client, access_, url, repository), url);
    try {
      return read(answer, repository);
    } catch (const Json::exception& e) {
      fail("hub", "{}: the answer is no list of files ({})", url, e.what());
    }
  }

 private:
  // A branch's slashes belong to its name: refs/pr/1 is one part of the address.
  static std::string encoded_revision(const std::string& revision) {
    std::string out;
    for (const char c : revision) out += c == '/' ? "%2F" : url_path(std::string_view(&c, 1));
    return out;
  }

  RemoteSnapshot read(const Json& answer, const std::string& repository) const {
    RemoteSnapshot out;
    out.commit = answer.at("sha").get<std::string>();
    if (!is_hex(out.commit, 40)) fail("hub", "{}: the commit '{}' is not 40 hex digits", repository, out.commit);
    for (const Json& entry : answer.at("siblings")) {
      RemoteFile file;
      file.path = entry.at("rfilename").get<std::string>();
      file.url = fmt::format("{}/{}/resolve/{}/{}", access_.endpoint, repository, out.commit, url_path(file.path));
      file.size = entry.value("size", uint64_t{0});
      if (const auto lfs = entry.find("lfs"); lfs != entry.end() && lfs->is_object()) {
        file.sha256 = lfs->at("sha256").get<std::string>();
        file.size = lfs->at("size").get<uint64_t>();
      } else {
        file.git_sha1 = entry.value("blobId", "");
      }
      if (!is_hex(file.sha256, 64) && !is_hex(file.git_sha1, 40))
        fail("hub", "{}: {} tells no hash of {}; nothing unchecked is kept", repository, access_.endpoint, file.path);
      add_remote_file(out, std::move(file), access_);
    }
    return out;
  }

  const HubAccess& access_;
};

}  // namespace

std::unique_ptr<Hub> hugging_face_hub(const HubAccess& access) {
  return std::make_unique<HuggingFaceHub>(access);
}

}  // namespace mindspeed
