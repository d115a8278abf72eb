#include "front/base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

constexpr size_t kBufferBytes = 1 << 20;
constexpr std::string_view kTemporary = ".tmp.";  // NAME.tmp.PID

std::string reason() { return std::strerror(errno); }

// Writes everything or throws.
void write_all(int fd, const char* data, size_t size, const fs::path& path) {
  while (size > 0) {
    const ssize_t n = ::write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == ENOSPC || errno == EDQUOT)) {
      std::error_code ignored;
      const auto space = fs::space(path.parent_path(), ignored);
      fail("write", "{}: the disk is full ({} more to write, {} free); free space or choose another folder",
           path.string(), human_bytes(size), human_bytes(space.available));
    }
    if (n < 0) fail("write", "{}: {}", path.string(), reason());
    data += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path))
    fail("read", "{}: {}", path.string(), fs::is_directory(path) ? "is a folder" : reason());
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

void write_file_atomic(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void sync_directory(const fs::path& directory) {
  const fs::path target = directory.empty() ? fs::path(".") : directory;
  const int fd = ::open(target.c_str(), O_RDONLY | O_DIRECTORY);
  if (fd < 0) fail("sync", "{}: {}", target.string(), reason());
  ::fsync(fd);
  ::close(fd);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("write", "{}: the folder cannot be created: {}", folder.string(), error.message());
}

void check_output_file(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    fail("write", "{}: it is {}, not a regular file; choose another name", path.string(),
         fs::is_directory(path, error) ? "a folder" : "a device or pipe");
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  make_folder(parent);
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    fail("write", "{}: {}: {}", path.string(), parent.string(), reason());
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  std::error_code ignored;  // renaming over a device would destroy it
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) check_output_file(path_);
  temporary_ = path_;
  temporary_ += kTemporary;
  temporary_ += std::to_string(::getpid());
  fd_ = ::open(temporary_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (fd_ < 0) fail("write", "{}: {}", temporary_.string(), reason());
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      buffer_(std::move(other.buffer_)) {}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() > kBufferBytes)
    write_all(fd_, bytes.data(), bytes.size(), temporary_);
  else
    buffer_.append(bytes);
  size_ += bytes.size();
}

void AtomicFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  if (offset + bytes.size() > size_) throw std::logic_error("AtomicFile::write_at past the end");
  if (::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset)) !=
      static_cast<ssize_t>(bytes.size()))
    fail("write", "{}: {}", temporary_.string(), reason());
}

void AtomicFile::extend(uint64_t size) {
  flush();
  if (size < size_) throw std::logic_error("AtomicFile::extend to a smaller size");
  const auto length = static_cast<off_t>(size);
  int error = size == size_ ? 0 : ::posix_fallocate(fd_, 0, length);
  if (error == EOPNOTSUPP || error == EINVAL) error = ::ftruncate(fd_, length) == 0 ? 0 : errno;
  if (error != 0) {
    std::error_code ignored;
    const auto space = fs::space(temporary_.parent_path(), ignored);
    fail("write", "{}: {} ({} needed, {} free); free space or choose another folder", temporary_.string(),
         std::strerror(error), human_bytes(size - size_), human_bytes(space.available));
  }
  size_ = size;
}

void AtomicFile::flush() {
  write_all(fd_, buffer_.data(), buffer_.size(), temporary_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (::fsync(fd_) != 0) fail("write", "{}: fsync: {}", temporary_.string(), reason());
  ::close(std::exchange(fd_, -1));
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string why = reason();
    ::unlink(temporary_.c_str());
    fail("write", "{}: rename: {}", path_.string(), why);
  }
  sync_directory(path_.parent_path());
}

void remove_dead_temporaries(const fs::path& folder, std::string_view begin) {
  std::vector<fs::path> dead;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const size_t mark = name.rfind(kTemporary);
    if (!name.starts_with(begin) || mark == std::string::npos) continue;
    const int pid = std::atoi(name.c_str() + mark + kTemporary.size());
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) dead.push_back(at->path());
  }
  for (const fs::path& path : dead) {
    log_info("removing {}, left by a process that was killed", path.string());
    fs::remove(path, error);
  }
}

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("read", "{}: {}", path.string(), reason());
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    fail("read", "{}: not a regular file", path.string());
  }
  size_ = static_cast<size_t>(info.st_size);
  if (size_ > 0) {
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED) {
      const std::string why = reason();
      ::close(fd);
      fail("read", "{}: mmap: {}", path.string(), why);
    }
    data_ = static_cast<const std::byte*>(address);
  }
  ::close(fd);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    release();
    path_ = std::move(other.path_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

MappedFile::~MappedFile() { release(); }

void MappedFile::release() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
  data_ = nullptr;
  size_ = 0;
}

}  // namespace mindspeed
