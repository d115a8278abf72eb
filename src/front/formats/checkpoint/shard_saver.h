// One rank's shard of a checkpoint, written at once or on a thread of its own while training goes on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "front/formats/checkpoint/shard_writer.h"

namespace mindspeed {

struct PieceBytes {
  PieceToWrite piece;
  std::span<const std::byte> bytes;  // packed, region.elements() of piece.dtype
};

// Writes the shard in the calling thread. Throws Error on a full disk, and for a weight (group "model") that
// is not finite: such weights are never saved.
void write_shard(const fs::path& folder, int rank, const std::vector<PieceBytes>& pieces);

// The same in the background: a thread copies all bytes first, after which their owner may change them, and
// then writes the copy. The copy's memory is kept for the next save. Used from one thread.
class ShardSaver {
 public:
  ShardSaver() = default;
  ~ShardSaver();  // waits for the thread; its error is dropped
  ShardSaver(const ShardSaver&) = delete;
  ShardSaver& operator=(const ShardSaver&) = delete;

  // The bytes must stay unchanged until wait_copied() returns. std::logic_error while an earlier shard is
  // under way.
  void start(const fs::path& folder, int rank, std::vector<PieceBytes> pieces);
  void wait_copied();
  bool written();  // or failed; finish() returns at once then
  // Waits for the end and throws the Error that writing ended with.
  void finish();

 private:
  void run(const fs::path& folder, int rank, std::vector<PieceBytes> pieces);
  void reach(int stage);
  void wait_for(int stage);

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int stage_ = 0;  // 1: copied, 2: written or failed
  std::exception_ptr error_;
  std::unique_ptr<std::byte[]> copy_;
  size_t capacity_ = 0;
};

}  // namespace mindspeed
