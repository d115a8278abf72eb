#include "engine/ckpt/saver.h"

#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include "engine/device/scalar_type.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

// Adds the time of its life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Runs `work` on every rank and agrees on the outcome: if it failed anywhere, every rank throws.
void agreed(const Mesh& mesh, const fs::path& root, int64_t iteration, const std::function<void()>& work) {
  std::exception_ptr mine;
  try {
    work();
  } catch (const std::exception&) {
    mine = std::current_exception();
  }
  at::Tensor failed = at::full({1}, mine ? 1.0 : 0.0, at::kDouble);
  mesh.world->all_reduce(failed, ReduceOp::max);
  if (failed.item<double>() == 0.0) return;
  if (mesh.rank == 0) abandon_checkpoint(root, iteration);
  if (mine) std::rethrow_exception(mine);
  fail("checkpoint", "saving iteration {} failed on another rank; earlier checkpoints in {} are untouched",
       iteration, root.string());
}

// True on all ranks if it is on each. Collective.
bool everywhere(const Mesh& mesh, bool here) {
  at::Tensor missing = at::full({1}, here ? 0.0 : 1.0, at::kDouble);
  mesh.world->all_reduce(missing, ReduceOp::max);
  return missing.item<double>() == 0.0;
}

std::vector<PieceBytes> bytes_to_write(const std::vector<StatePiece>& pieces) {
  std::vector<PieceBytes> out;
  for (const StatePiece& p : pieces)
    if (p.saved)
      out.push_back({{p.group, p.name, p.shape, p.region, device::dtype_of(p.data.scalar_type())},
                     {static_cast<const std::byte*>(p.data.const_data_ptr()), p.data.nbytes()}});
  return out;
}

}  // namespace

CheckpointSaver::CheckpointSaver(fs::path root, const Mesh& mesh, int keep_last, bool background)
    : root_(std::move(root)), mesh_(mesh), keep_last_(keep_last), background_(background) {}

void CheckpointSaver::start(CheckpointState state, const std::vector<StatePiece>& pieces) {
  finish();
  stalled_ = 0.0;
  const Stopwatch watch(stalled_);
  const int64_t iteration = state.iteration;
  agreed(mesh_, root_, iteration, [&] {
    if (mesh_.rank == 0) begin_checkpoint(root_, iteration);
  });
  state_ = std::move(state);
  const fs::path folder = staging_folder(root_, iteration);
  if (background_) {
    phase_ = Phase::writing;
    shard_.start(folder, mesh_.rank, bytes_to_write(pieces));
    return;
  }
  agreed(mesh_, root_, iteration, [&] { write_shard(folder, mesh_.rank, bytes_to_write(pieces)); });
  agreed(mesh_, root_, iteration, [&] { publish(); });
}

void CheckpointSaver::publish() {
  if (mesh_.rank != 0) return;
  const int64_t iteration = state_.iteration;
  publish_checkpoint(root_, gather_shards(staging_folder(root_, iteration), mesh_.world->size(), state_));
  prune_checkpoints(root_, keep_last_, iteration);
}

void CheckpointSaver::before_update() {
  if (phase_ != Phase::writing) return;
  const Stopwatch watch(stalled_);
  shard_.wait_copied();
}

// All shards are written, or one failed. Then rank 0 publishes in the background.
void CheckpointSaver::end_writing() {
  phase_ = Phase::idle;  // unless all have succeeded
  agreed(mesh_, root_, state_.iteration, [&] { shard_.finish(); });
  phase_ = Phase::publishing;
  if (mesh_.rank == 0) published_ = std::async(std::launch::async, [this] { publish(); });
}

bool CheckpointSaver::advance() {
  const Stopwatch watch(stalled_);
  if (phase_ == Phase::writing && everywhere(mesh_, shard_.written())) end_writing();
  if (phase_ != Phase::publishing) return false;
  const bool here =
      !published_.valid() || published_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (!everywhere(mesh_, here)) return false;
  complete();
  return true;
}

void CheckpointSaver::finish() {
  const Stopwatch watch(stalled_);
  complete();
}

void CheckpointSaver::complete() {
  if (phase_ == Phase::writing) end_writing();
  if (phase_ != Phase::publishing) return;
  phase_ = Phase::idle;
  agreed(mesh_, root_, state_.iteration, [&] {
    if (published_.valid()) published_.get();
  });
}

}  // namespace mindspeed
