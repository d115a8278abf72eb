#include "engine/ckpt/checkpoint.h"

#include <exception>
#include <functional>
#include <map>

#include "engine/device/scalar_type.h"
#include "front/base/error.h"
#include "front/base/text.h"
#include "front/formats/checkpoint/shard_writer.h"

namespace mindspeed {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

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

void write_shard(const fs::path& folder, int rank, const std::vector<StatePiece>& pieces) {
  std::vector<PieceToWrite> list;
  for (const StatePiece& piece : pieces)
    if (piece.saved)
      list.push_back(
          {piece.group, piece.name, piece.shape, piece.region, device::dtype_of(piece.data.scalar_type())});
  ShardWriter writer(folder, rank, list);
  for (const StatePiece& piece : pieces) {
    if (!piece.saved) continue;
    if (piece.group == "model" && !at::isfinite(piece.data).all().item<bool>())
      fail("checkpoint", "{} has values that are not finite; such weights are never saved", piece.name);
    writer.write(bytes_of(piece.data));
  }
  writer.finish();
}

}  // namespace

void save_checkpoint(const fs::path& root, CheckpointState state, const std::vector<StatePiece>& pieces,
                     const Mesh& mesh, int keep_last) {
  const int64_t iteration = state.iteration;
  agreed(mesh, root, iteration, [&] {
    if (mesh.rank == 0) begin_checkpoint(root, iteration);
  });
  agreed(mesh, root, iteration, [&] { write_shard(staging_folder(root, iteration), mesh.rank, pieces); });
  agreed(mesh, root, iteration, [&] {
    if (mesh.rank != 0) return;
    publish_checkpoint(root,
                       gather_shards(staging_folder(root, iteration), mesh.world->size(), std::move(state)));
    prune_checkpoints(root, keep_last, iteration);
  });
}

void check_same_model(const CheckpointReader& reader, const std::vector<ParameterSpec>& table) {
  std::map<std::string, std::vector<int64_t>> saved;
  for (const CheckpointPiece& piece : reader.metadata().pieces)
    if (piece.group == "model") saved[piece.name] = reader.metadata().shapes.at(piece.name);
  std::vector<std::string> faults;
  for (const ParameterSpec& spec : table) {
    if (!spec.tied_to.empty()) continue;
    const auto found = saved.find(spec.name);
    if (found == saved.end()) {
      faults.push_back(fmt::format("{} {} is not in the checkpoint", spec.name, format_shape(spec.shape)));
      continue;
    }
    if (found->second != spec.shape)
      faults.push_back(fmt::format("{} is {} in the checkpoint and {} in this model", spec.name,
                                   format_shape(found->second), format_shape(spec.shape)));
    saved.erase(found);
  }
  for (const auto& [name, shape] : saved)
    faults.push_back(
        fmt::format("{} {} is in the checkpoint but not in this model", name, format_shape(shape)));
  if (!faults.empty())
    fail("load", "{}: another model was saved here ({} differences): {}", reader.folder().string(),
         faults.size(), join(faults, "; "));
}

void load_pieces(const CheckpointReader& reader, const std::vector<StatePiece>& pieces) {
  for (const StatePiece& piece : pieces) {
    std::string group = piece.group;
    if (group == "model" && reader.has("master", piece.name)) group = "master";
    // An fp32 run keeps no master copy beside the weights: they are the same values.
    if (group == "master" && !reader.has("master", piece.name)) group = "model";
    if (!reader.has(group, piece.name))
      fail("load",
           "{} holds no {} of {} (saved with --no-save-optim, or by another optimizer); pass --no-load-optim "
           "or "
           "--finetune to start without it",
           reader.folder().string(), group, piece.name);
    reader.read(group, piece.name, piece.region, device::dtype_of(piece.data.scalar_type()),
                bytes_of(piece.data));
  }
}

}  // namespace mindspeed
