#include "engine/ckpt/checkpoint.h"

#include <map>

#include "engine/device/scalar_type.h"
#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

}  // namespace

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
