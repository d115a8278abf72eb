// Files: whole reads, memory maps, and writes that are complete or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mindspeed {

namespace fs = std::filesystem;

// Whole file as bytes. Throws Error naming the path and the reason.
std::string read_file(const fs::path& path);

// Writes to a temporary name beside `path`, flushes to disk (fsync), then renames. A crash leaves either the
// old file or the new one. Throws Error (path, reason, bytes needed and free) and removes the temporary file.
void write_file_atomic(const fs::path& path, std::string_view content);

// Creates `folder` and its parents where they are missing. Throws Error naming the folder and the reason.
void make_folder(const fs::path& folder);

// Throws Error if a file could not be written at `path`: something other than a regular file is there, or its
// folder cannot be created or written. For outputs that are written at the end of long work.
void check_output_file(const fs::path& path);

// fsync of a folder, so that renames in it survive a power cut.
void sync_directory(const fs::path& directory);

// A growing file that becomes visible under its final name only at commit(). Move-only; the destructor of an
// uncommitted writer removes the temporary file. Every write error throws Error with path and reason.
class AtomicFile {
 public:
  explicit AtomicFile(fs::path path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view bytes);
  // Overwrites earlier bytes (headers that are known only at the end).
  void write_at(uint64_t offset, std::span<const std::byte> bytes);
  // Grows the file to `size` bytes, which are then filled by write_at in any order. Reserves the space: a
  // full disk is an Error now and not half way through.
  void extend(uint64_t size);
  uint64_t size() const { return size_; }
  // Flush, fsync, rename, sync the folder.
  void commit();

 private:
  void flush();
  fs::path path_;
  fs::path temporary_;
  int fd_ = -1;
  uint64_t size_ = 0;
  std::string buffer_;
};

// Removes what AtomicFile left in `folder` under names that begin with `begin` when its process was killed.
// Files of processes that live stay. Reports each one to the log.
void remove_dead_temporaries(const fs::path& folder, std::string_view begin);

// Read-only memory map of a whole file; empty files map to an empty span.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const fs::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const fs::path& path() const { return path_; }

 private:
  void release();
  fs::path path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace mindspeed
