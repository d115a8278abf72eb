// Saving and loading native checkpoints of a distributed run.
#pragma once

#include <string>
#include <vector>

#include "engine/ckpt/state_piece.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/reader.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

// Collective. Every rank writes the pieces it saves into <root>/iter_NNNNNNN; rank 0 completes the
// checkpoint, moves the pointer and deletes old ones beyond `keep_last`. If any rank fails, all throw and the
// earlier checkpoints are untouched. Throws Error also when a weight to be saved is not finite.
void save_checkpoint(const fs::path& root, CheckpointState state, const std::vector<StatePiece>& pieces,
                     const Mesh& mesh, int keep_last);

// The checkpoint is of this model: same names and shapes. Throws Error naming every difference.
void check_same_model(const CheckpointReader& reader, const std::vector<ParameterSpec>& table);

// Fills the pieces from a checkpoint written in any layout. Weights are taken from the fp32 master copy where
// there is one. Throws Error when a group was not saved, naming what to do about it.
void load_pieces(const CheckpointReader& reader, const std::vector<StatePiece>& pieces);

}  // namespace mindspeed
