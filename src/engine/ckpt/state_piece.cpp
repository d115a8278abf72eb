#include "engine/ckpt/state_piece.h"

#include <algorithm>
#include <stdexcept>

namespace mindspeed {
namespace {

// Where a shard box lies in the local tensor, in elements. Boxes cover whole local rows, so they are
// contiguous.
int64_t local_offset(const Parameter& parameter, const ShardBox& box) {
  const std::vector<int64_t>& local = parameter.shard.shape;
  int64_t offset = 0, row = 1;
  for (size_t d = local.size(); d-- > 0;) {
    if (d > 0 && box.logical.size[d] != local[d])
      throw std::logic_error("checkpoint: " + parameter.spec.name +
                             ": a shard box is not made of whole local rows");
    offset += box.local_start[d] * row;
    row *= local[d];
  }
  return offset;
}

}  // namespace

const std::string& stored_name(const Parameter& parameter) {
  return parameter.spec.tied_to.empty() ? parameter.spec.name : parameter.spec.tied_to;
}

bool speaks_for(const Parameter& parameter, const Mesh& mesh) {
  return !parameter.tied_copy && mesh.cp_rank == 0 && (parameter.spec.tp_dim >= 0 || mesh.tp_rank == 0);
}

void add_pieces(std::vector<StatePiece>& pieces, const std::string& group, const Parameter& parameter,
                int64_t offset, const at::Tensor& flat, bool saved) {
  for (const ShardBox& box : parameter.shard.boxes) {
    const int64_t at = local_offset(parameter, box);
    const int64_t begin = std::max(at, offset);
    const int64_t end = std::min(at + box.logical.elements(), offset + flat.numel());
    if (begin >= end) continue;
    StatePiece piece{
        group, stored_name(parameter), parameter.spec.shape, {}, flat.narrow(0, begin - offset, end - begin),
        saved};
    piece.region = {box.logical.start, box.logical.size, begin - at, end - at};
    pieces.push_back(std::move(piece));
  }
}

std::vector<StatePiece> model_pieces(const std::vector<Parameter*>& parameters, const Mesh& mesh) {
  std::vector<StatePiece> pieces;
  for (const Parameter* parameter : parameters)
    add_pieces(pieces, "model", *parameter, 0, parameter->value.detach().view({-1}),
               speaks_for(*parameter, mesh) && mesh.dp_rank == 0);
  return pieces;
}

}  // namespace mindspeed
