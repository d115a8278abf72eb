#include "front/hub/download.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/base/log.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

// A file that grows over several processes; unlike AtomicFile it stays when it is left.
class GrowingFile {
 public:
  explicit GrowingFile(const fs::path& path)
      : path_(path), fd_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (fd_ < 0) fail("write", "{}: {}", path.string(), std::strerror(errno));
    size_ = static_cast<uint64_t>(::lseek(fd_, 0, SEEK_END));
  }
  ~GrowingFile() { ::close(fd_); }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  uint64_t size() const { return size_; }

  void cut(uint64_t size) {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) fail("write", "{}: {}", path_.string(), std::strerror(errno));
    size_ = size;
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0)
        fail("write", "{}: {}; what came so far is kept, the same command goes on from there", path_.string(),
             std::strerror(errno));
      size_ += static_cast<uint64_t>(written);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }

  void flush() {
    if (::fsync(fd_) != 0) fail("write", "{}: {}", path_.string(), std::strerror(errno));
  }

 private:
  fs::path path_;
  int fd_;
  uint64_t size_ = 0;
};

bool has_right_hash(const fs::path& path, const RemoteFile& file) {
  return file.sha256.empty() ? git_blob_sha1(path) == file.git_sha1 : sha256_file(path) == file.sha256;
}

// True if the whole file is there now; else the answer tells why not.
bool advance(HttpClient& client, const RemoteFile& file, GrowingFile& target, HttpAnswer& answer,
             const std::function<void(uint64_t)>& received) {
  if (target.size() > file.size) target.cut(0);  // left by something else
  if (target.size() == file.size && file.size > 0) return true;
  bool first = true;
  answer = client.get(file.url, target.size(), [&](const HttpAnswer& now, std::string_view piece) {
    if (first) {
      if (now.begin > target.size()) fail("hub", "{}: the answer begins at byte {}, {} was asked for", file.url,
                                          now.begin, target.size());
      target.cut(now.begin);  // 0 from a server that cannot resume
    }
    first = false;
    if (target.size() + piece.size() > file.size)
      fail("hub", "{}: more bytes came than the {} that {} has", file.url, file.size, file.path);
    target.append(piece);
    received(piece.size());
  });
  if (answer.status == 416) target.cut(0);
  return answer.ok() && target.size() == file.size;
}

// Until the file has its size.
void complete(HttpClient& client, const HubAccess& access, const RemoteFile& file, GrowingFile& target,
              const std::function<void(uint64_t)>& received) {
  for (int failures = 0;;) {
    const uint64_t before = target.size();
    HttpAnswer answer;
    if (advance(client, file, target, answer, received)) return;
    const bool cut_short = answer.ok() || answer.status == 416;
    if (!cut_short && !is_passing(answer) && answer.problem.empty())
      fail("hub", "{}: HTTP {}{}", file.url, answer.status,
           answer.status == 401 || answer.status == 403
               ? "; the access token's owner may have to accept the model's terms first"
               : "");
    failures = target.size() > before ? 1 : failures + 1;
    const std::string reason = answer.problem.empty()
                                   ? answer.ok() ? "the answer ended early" : fmt::format("HTTP {}", answer.status)
                                   : answer.problem;
    if (failures >= access.attempts)
      fail("hub", "{}: {} of {} bytes came, then {} times nothing more ({}); the same command goes on from there",
           file.url, target.size(), file.size, failures, reason);
    log_warning("[hub] {}: {}; going on at byte {} of {}", file.path, reason, target.size(), file.size);
    wait_to_retry(access, failures - 1, answer.retry_after);
  }
}

}  // namespace

void download(HttpClient& client, const HubAccess& access, const HubCache& cache, const RemoteFile& file,
              const std::function<void(uint64_t)>& received) {
  const auto alone = cache.lock(file.digest());
  const fs::path blob = cache.blob(file.digest()), growing = cache.incomplete(file.digest());
  if (fs::exists(blob) && fs::file_size(blob) == file.size) return;
  for (bool again = false;; again = true) {
    {
      GrowingFile target(growing);
      complete(client, access, file, target, received);
      target.flush();
    }
    if (has_right_hash(growing, file)) break;
    fs::remove(growing);
    if (again)
      fail("hub", "{}: the {} bytes that came do not have the hash {} that {} tells, twice; nothing of it is kept",
           file.url, file.size, file.digest(), access.endpoint);
    log_warning("[hub] {}: the hash is wrong; fetching it from the start", file.path);
  }
  fs::rename(growing, blob);
  sync_directory(blob.parent_path());
}

}  // namespace mindspeed
