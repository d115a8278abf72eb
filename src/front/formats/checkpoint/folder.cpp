#include "front/formats/checkpoint/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/base/log.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

constexpr std::string_view kStaging = ".saving", kReplaced = ".replaced", kMarker = "COMPLETE";
constexpr std::string_view kMetadata = "metadata.json", kPointer = "latest_checkpointed_iteration.txt";

uint32_t checksum(std::string_view text) {
  return crc32c(std::as_bytes(std::span(text.data(), text.size())));
}

std::string marker_text(std::string_view metadata) {
  return fmt::format("metadata.json crc32c {:08x}\n", checksum(metadata));
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Iteration of a folder named iter_N exactly (staging and replaced ones have a suffix).
std::optional<int64_t> iteration_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with("iter_") ? number(std::string_view(name).substr(5)) : std::nullopt;
}

std::string damaged(const fs::path& folder) {
  return fmt::format("the checkpoint is damaged; move {} away to resume from an earlier one",
                     folder.string());
}

void remove_leftovers(const fs::path& root) {
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("iter_") && (name.ends_with(kStaging) || name.ends_with(kReplaced)))
      leftovers.push_back(entry.path());
    if (name.starts_with(kPointer) && name.size() > kPointer.size()) leftovers.push_back(entry.path());
  }
  for (const fs::path& path : leftovers) fs::remove_all(path);
}

// Gives `staging` the name `target`. If target exists the two change places atomically, so that at every
// moment a complete checkpoint bears the name.
void move_into_place(const fs::path& staging, const fs::path& target) {
  if (!fs::exists(target)) {
    fs::rename(staging, target);
    return;
  }
  if (::renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(staging);
    return;
  }
  // File systems without exchange: a crash between the two renames leaves older checkpoints only.
  const fs::path replaced = target.string() + std::string(kReplaced);
  fs::rename(target, replaced);
  fs::rename(staging, target);
  fs::remove_all(replaced);
}

}  // namespace

fs::path iteration_folder(const fs::path& root, int64_t iteration) {
  return root / fmt::format("iter_{:07d}", iteration);
}
fs::path staging_folder(const fs::path& root, int64_t iteration) {
  return root / fmt::format("iter_{:07d}{}", iteration, kStaging);
}

FolderClaim::FolderClaim(const fs::path& root) {
  const fs::path file = root / ".claim";
  fd_ = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (fd_ < 0) refuse("checkpoint", "{}: {}; choose another folder", file.string(), std::strerror(errno));
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(fd_);
  refuse("checkpoint", "{}: another run writes its checkpoints here now; wait for it or name another folder",
         root.string());
}

FolderClaim::~FolderClaim() { ::close(fd_); }

void check_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path probe = folder / fmt::format(".writable.{}", ::getpid());
  const int fd = error ? -1 : ::open(probe.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0)
    refuse("checkpoint", "{}: no file can be made in it ({}); choose another folder", folder.string(),
           error ? error.message() : std::strerror(errno));
  ::close(fd);
  ::unlink(probe.c_str());
}

void begin_checkpoint(const fs::path& root, int64_t iteration) {
  std::error_code error;
  fs::create_directories(root, error);
  if (error) fail("checkpoint", "{}: cannot be created: {}", root.string(), error.message());
  remove_leftovers(root);
  fs::create_directory(staging_folder(root, iteration), error);
  if (error) fail("checkpoint", "{}: no folder can be made in it: {}", root.string(), error.message());
}

void publish_checkpoint(const fs::path& root, const CheckpointMetadata& metadata) {
  const int64_t iteration = metadata.state.iteration;
  const fs::path staging = staging_folder(root, iteration);
  const std::string text = metadata_text(metadata);
  write_file_atomic(staging / kMetadata, text);
  verify_shards(staging, metadata);
  write_file_atomic(staging / kMarker, marker_text(text));
  move_into_place(staging, iteration_folder(root, iteration));
  sync_directory(root);
  write_file_atomic(root / kPointer, fmt::format("{}\n", iteration));
}

void abandon_checkpoint(const fs::path& root, int64_t iteration) noexcept {
  std::error_code ignored;
  fs::remove_all(staging_folder(root, iteration), ignored);
}

bool has_marker(const fs::path& folder) {
  if (!fs::is_regular_file(folder / kMarker) || !fs::is_regular_file(folder / kMetadata)) return false;
  return read_file(folder / kMarker) == marker_text(read_file(folder / kMetadata));
}

void verify_shards(const fs::path& folder, const CheckpointMetadata& metadata) {
  for (const auto& [file, bytes] : metadata.files) {
    const fs::path path = folder / file;
    if (!fs::is_regular_file(path)) fail("checkpoint", "{} is missing; {}", path.string(), damaged(folder));
    if (const uint64_t found = fs::file_size(path); found != bytes)
      fail("checkpoint", "{} has {} bytes, metadata.json says {}; {}", path.string(), found, bytes,
           damaged(folder));
  }
}

std::vector<int64_t> complete_checkpoints(const fs::path& root) {
  std::vector<int64_t> iterations;
  if (!fs::is_directory(root)) return iterations;
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (const auto iteration = iteration_of(entry.path()); iteration && has_marker(entry.path()))
      iterations.push_back(*iteration);
  std::sort(iterations.begin(), iterations.end());
  return iterations;
}

std::optional<fs::path> checkpoint_to_load(const fs::path& path) {
  if (has_marker(path)) return path;
  if (iteration_of(path) && fs::exists(path / kMetadata))
    fail("checkpoint",
         "{} has no valid completion marker; the save was interrupted or the folder was changed",
         path.string());
  if (fs::is_regular_file(path / kPointer)) {
    const std::string text = read_file(path / kPointer);
    if (const auto iteration = number(trim(text));
        iteration && has_marker(iteration_folder(path, *iteration)))
      return iteration_folder(path, *iteration);
    // The pointer is written after a save is complete: what it names was there once.
    if (complete_checkpoints(path).empty())
      fail("checkpoint",
           "{}: {} says '{}', but no complete checkpoint is here (each needs the file {}); it was damaged or "
           "copied in part, or is in Megatron's layout, which is not read yet. To start anew, use an empty "
           "folder",
           path.string(), kPointer, trim(text), kMarker);
    log_warning("{}: {} names no complete checkpoint ('{}'); the newest complete one is used", path.string(),
                kPointer, trim(text));
  }
  const std::vector<int64_t> complete = complete_checkpoints(path);
  if (complete.empty()) return std::nullopt;
  return iteration_folder(path, complete.back());
}

void prune_checkpoints(const fs::path& root, int keep, int64_t saved) {
  std::vector<int64_t> complete = complete_checkpoints(root);
  if (keep <= 0 || complete.size() <= static_cast<size_t>(keep)) return;
  std::stable_partition(complete.begin(), complete.end(), [saved](int64_t i) { return i != saved; });
  const fs::path newest = iteration_folder(root, saved);
  const fs::path metadata = newest / kMetadata;
  verify_shards(newest, parse_metadata(read_file(metadata), metadata.string()));
  for (size_t i = 0; i + static_cast<size_t>(keep) < complete.size(); ++i) {
    // Renamed first: a crash half way through the deletion leaves a leftover, not a damaged checkpoint.
    const fs::path folder = iteration_folder(root, complete[i]);
    const fs::path doomed = folder.string() + std::string(kReplaced);
    fs::rename(folder, doomed);
    fs::remove_all(doomed);
  }
}

}  // namespace mindspeed
