// The cache of a hub's files on this machine, in the layout that Hugging Face's client shares between programs:
//   models--ORG--NAME/blobs/HASH                     contents, by the hash that the hub tells
//   models--ORG--NAME/snapshots/COMMIT/PATH          links to them
//   models--ORG--NAME/refs/REVISION                  the commit that a branch or tag meant last
//   .locks/models--ORG--NAME/HASH.lock               held while a content is fetched
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "front/base/file_lock.h"

namespace mindspeed {

namespace fs = std::filesystem;

class HubCache {
 public:
  // `root` as HubAccess::cache. Creates nothing.
  HubCache(const fs::path& root, const std::string& repository);

  fs::path snapshot(const std::string& commit) const { return folder_ / "snapshots" / commit; }
  fs::path blob(const std::string& digest) const { return folder_ / "blobs" / digest; }
  // Where a content grows while it is fetched.
  fs::path incomplete(const std::string& digest) const { return folder_ / "blobs" / (digest + ".incomplete"); }

  // The commit that `revision` (a branch, a tag, or a commit itself) means here; nothing if it was never asked for.
  std::optional<std::string> commit_of(const std::string& revision) const;
  void remember(const std::string& revision, const std::string& commit) const;

  // Makes the snapshot's PATH a link to the blob, in one step: other processes see the old link or the new one.
  void link(const std::string& commit, const std::string& path, const std::string& digest) const;

  // Alone among all processes with this content.
  std::unique_ptr<FileLock> lock(const std::string& digest) const;

  // Makes the folders. Throws Error if they cannot be written.
  void create() const;

 private:
  fs::path folder_, locks_;
};

}  // namespace mindspeed
