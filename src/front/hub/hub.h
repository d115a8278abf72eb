// What a hub tells about a repository; one implementation per protocol.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "front/hub/access.h"
#include "front/hub/http.h"

namespace mindspeed {

struct RemoteFile {
  std::string path;     // inside the repository; checked: relative, without ".." and control characters
  std::string url;
  uint64_t size = 0;
  std::string sha256;   // lower-case hex; empty when the hub does not tell it
  std::string git_sha1; // of the file as git stores it, where there is no sha256
  // Under which the cache keeps the content: the names that Hugging Face's client uses. Empty if neither is known.
  const std::string& digest() const { return sha256.empty() ? git_sha1 : sha256; }
};

struct RemoteSnapshot {
  std::string commit;  // what the revision means now, hex
  std::vector<RemoteFile> files;
};

class Hub {
 public:
  virtual ~Hub() = default;
  // Files of `repository` at access.revision. Throws Unreachable if no server answers, Error (exit 2) if the
  // repository or revision does not exist or may not be read, and Error for an answer that makes no sense.
  virtual RemoteSnapshot list(HttpClient& client, const std::string& repository) const = 0;
};

// The hub could not be asked at all; what the cache holds may do.
class Unreachable : public Error {
 public:
  using Error::Error;
};

std::unique_ptr<Hub> hugging_face_hub(const HubAccess& access);
std::unique_ptr<Hub> model_scope_hub(const HubAccess& access);

// For the implementations: the JSON text at `url`, or the errors of list().
std::string hub_answer(HttpClient& client, const HubAccess& access, const std::string& url,
                       const std::string& repository);

// Appends a file if its path stays inside the repository's folder; a hub that names another is not trusted at
// all (Error).
void add_remote_file(RemoteSnapshot& snapshot, RemoteFile file, const HubAccess& access);

bool is_hex(std::string_view text, size_t length);

}  // namespace mindspeed
