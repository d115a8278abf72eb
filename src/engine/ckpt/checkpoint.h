// Loading native checkpoints of a distributed run.
#pragma once

#include <string>
#include <vector>

#include "engine/ckpt/state_piece.h"
#include "front/formats/checkpoint/reader.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

// The checkpoint is of this model: same names and shapes. Throws Error naming every difference.
void check_same_model(const CheckpointReader& reader, const std::vector<ParameterSpec>& table);

// Fills the pieces from a checkpoint written in any layout. Weights are taken from the fp32 master copy where
// there is one. Throws Error when a group was not saved, naming what to do about it.
void load_pieces(const CheckpointReader& reader, const std::vector<StatePiece>& pieces);

}  // namespace mindspeed
