#include "front/hub/cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"
#include "front/hub/hub.h"

namespace mindspeed {

HubCache::HubCache(const fs::path& root, const std::string& repository) {
  std::string name = "models--" + repository;
  name.replace(name.find('/'), 1, "--");
  folder_ = root / name;
  locks_ = root / ".locks" / name;
}

void HubCache::create() const {
  make_folder(folder_ / "blobs");
  make_folder(folder_ / "snapshots");
  make_folder(folder_ / "refs");
  make_folder(locks_);
}

std::optional<std::string> HubCache::commit_of(const std::string& revision) const {
  if (is_hex(revision, 40) && fs::is_directory(snapshot(revision))) return revision;
  const fs::path ref = folder_ / "refs" / revision;
  if (!fs::is_regular_file(ref)) return std::nullopt;
  const std::string content = read_file(ref);
  std::string commit(trim(content));
  if (!is_hex(commit, 40)) return std::nullopt;
  return commit;
}

void HubCache::remember(const std::string& revision, const std::string& commit) const {
  if (revision == commit) return;
  const fs::path ref = folder_ / "refs" / revision;
  make_folder(ref.parent_path());
  write_file_atomic(ref, commit);
}

void HubCache::link(const std::string& commit, const std::string& path, const std::string& digest) const {
  const fs::path place = snapshot(commit) / path;
  const fs::path target = blob(digest).lexically_relative(place.parent_path());
  std::error_code error;
  if (fs::read_symlink(place, error) == target) return;
  make_folder(place.parent_path());
  const fs::path temporary = place.string() + fmt::format(".{}.link", ::getpid());
  fs::remove(temporary, error);
  fs::create_symlink(target, temporary, error);
  if (!error) fs::rename(temporary, place, error);
  if (error) fail("hub", "{}: cannot be linked to its content: {}", place.string(), error.message());
}

std::unique_ptr<FileLock> HubCache::lock(const std::string& digest) const {
  return std::make_unique<FileLock>(locks_ / (digest + ".lock"));
}

}  // namespace mindspeed
