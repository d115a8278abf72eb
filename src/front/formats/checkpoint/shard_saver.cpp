#include "front/formats/checkpoint/shard_saver.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "front/base/error.h"

namespace mindspeed {
namespace {

enum Stage : int { kStarted, kCopied, kEnded };

}  // namespace

void write_shard(const fs::path& folder, int rank, const std::vector<PieceBytes>& pieces) {
  std::vector<PieceToWrite> list;
  for (const PieceBytes& p : pieces) list.push_back(p.piece);
  ShardWriter writer(folder, rank, list);
  for (const PieceBytes& p : pieces) {
    if (p.piece.group == "model" && first_non_finite(p.bytes, p.piece.dtype))
      fail("checkpoint", "{} has values that are not finite; such weights are never saved", p.piece.name);
    writer.write(p.bytes);
  }
  writer.finish();
}

ShardSaver::~ShardSaver() {
  if (thread_.joinable()) thread_.join();
}

void ShardSaver::start(const fs::path& folder, int rank, std::vector<PieceBytes> pieces) {
  if (thread_.joinable()) throw std::logic_error("checkpoint: an earlier shard is still under way");
  stage_ = kStarted;
  error_ = nullptr;
  thread_ = std::thread([this, folder, rank, pieces = std::move(pieces)] { run(folder, rank, pieces); });
}

void ShardSaver::run(const fs::path& folder, int rank, std::vector<PieceBytes> pieces) {
  try {
    size_t total = 0;
    for (const PieceBytes& p : pieces) total += p.bytes.size();
    if (total > capacity_) {
      copy_ = nullptr;  // first, so that the two never exist side by side
      copy_ = std::make_unique_for_overwrite<std::byte[]>(total);
      capacity_ = total;
    }
    size_t at = 0;
    for (PieceBytes& p : pieces) {
      std::memcpy(copy_.get() + at, p.bytes.data(), p.bytes.size());
      p.bytes = {copy_.get() + at, p.bytes.size()};
      at += p.bytes.size();
    }
    reach(kCopied);
    write_shard(folder, rank, pieces);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  reach(kEnded);
}

void ShardSaver::reach(int stage) {
  {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
  }
  changed_.notify_all();
}

void ShardSaver::wait_for(int stage) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stage_ >= stage; });
}

void ShardSaver::wait_copied() {
  if (thread_.joinable()) wait_for(kCopied);
}

bool ShardSaver::written() {
  const std::lock_guard lock(mutex_);
  return !thread_.joinable() || stage_ == kEnded;
}

void ShardSaver::finish() {
  if (!thread_.joinable()) return;
  thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace mindspeed
