#include "front/hub/fetch.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/log.h"
#include "front/base/parallel_for.h"
#include "front/base/text.h"
#include "front/hub/cache.h"
#include "front/hub/download.h"

namespace mindspeed {
namespace {

constexpr int kConnections = 4;

// A line at most every two seconds, from several threads.
class Progress {
 public:
  explicit Progress(uint64_t total) : total_(total) {}
  void add(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    done_ += bytes;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(2)) return;
    last_ = now;
    log_info("[hub] {} of {}", human_bytes(done_), human_bytes(total_));
  }

 private:
  std::mutex mutex_;
  uint64_t total_, done_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// What is to be fetched, and room for it.
std::vector<RemoteFile> absent_files(const HubAccess& access, const HubCache& cache,
                                     const std::vector<RemoteFile>& wanted, uint64_t& bytes) {
  std::vector<RemoteFile> out;
  bytes = 0;
  for (const RemoteFile& file : wanted) {
    std::error_code error;
    if (fs::file_size(cache.blob(file.digest()), error) == file.size && !error) continue;
    out.push_back(file);
    const uint64_t there = fs::file_size(cache.incomplete(file.digest()), error);
    bytes += error || there > file.size ? file.size : file.size - there;
  }
  const uint64_t room = fs::space(access.cache).available;
  if (bytes > room)
    refuse("hub", "{} are to be fetched and {} has {} left; free some, or set {} to a folder on a larger disk",
           human_bytes(bytes), access.cache.string(), human_bytes(room),
           access.model_scope ? "MODELSCOPE_CACHE" : "HF_HUB_CACHE");
  return out;
}

void fetch_files(const HubAccess& access, const HubCache& cache, const std::vector<RemoteFile>& wanted,
                 const std::string& name) {
  uint64_t bytes = 0;
  const std::vector<RemoteFile> files = absent_files(access, cache, wanted, bytes);
  if (files.empty()) return;
  log_info("[hub] {} from {}: {} files, {}", name, access.endpoint, files.size(), human_bytes(bytes));
  Progress progress(bytes);
  parallel_for(files.size(), kConnections, [&](size_t i) {
    HttpClient client(access);
    download(client, access, cache, files[i], [&](uint64_t size) { progress.add(size); });
  });
}

std::string place(const fs::path& snapshot, const std::vector<RemoteFile>& files) {
  const bool one = files.size() == 1 && files[0].path.ends_with(".gguf");
  return (one ? snapshot / files[0].path : snapshot).string();
}

// The copy that the cache holds, or the reason why it does not do.
std::string cached(const HubAccess& access, const HubCache& cache, const HubReference& reference, HubParts parts,
                   const std::string& why) {
  const auto commit = cache.commit_of(access.revision);
  if (!commit)
    refuse("hub", "{}, and {} has no copy of {} at revision {}", why, access.cache.string(), reference.repository,
           access.revision);
  const fs::path snapshot = cache.snapshot(*commit);
  if (const std::string missing = missing_file(snapshot, reference, parts); !missing.empty())
    refuse("hub", "{}, and the copy of {} in {} lacks {}", why, reference.repository, snapshot.string(), missing);
  log_info("[hub] {} at {} from {}", reference.repository, *commit, access.cache.string());
  if (fs::exists(snapshot / "config.json") && reference.variant.empty()) return snapshot.string();
  std::vector<RemoteFile> files;
  for (const auto& entry : fs::directory_iterator(snapshot)) {
    RemoteFile file;
    file.path = entry.path().filename().string();
    files.push_back(file);
  }
  return place(snapshot, wanted_files(files, reference, parts));
}

}  // namespace

std::string fetch_model(const HubAccess& access, const HubReference& reference, HubParts parts) {
  const HubCache cache(access.cache, reference.repository);
  if (access.offline) return cached(access, cache, reference, parts, "the hub is not asked (offline)");
  const auto hub = access.model_scope ? model_scope_hub(access) : hugging_face_hub(access);
  RemoteSnapshot remote;
  try {
    HttpClient client(access);
    remote = hub->list(client, reference.repository);
  } catch (const Unreachable& e) {
    if (!cache.commit_of(access.revision)) throw;
    log_warning("{}; the copy of this machine is used", e.what());
    return cached(access, cache, reference, parts, "no server answers");
  }
  const std::vector<RemoteFile> wanted = wanted_files(remote.files, reference, parts);
  cache.create();
  fetch_files(access, cache, wanted, reference.repository);
  for (const RemoteFile& file : wanted) cache.link(remote.commit, file.path, file.digest());
  cache.remember(access.revision, remote.commit);
  const std::string out = place(cache.snapshot(remote.commit), wanted);
  log_info("[hub] {} at {}: {}", reference.repository, remote.commit, out);
  return out;
}

}  // namespace mindspeed
