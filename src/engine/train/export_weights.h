// Writes the trained model as a Hugging Face folder from any layout.
#pragma once

#include "engine/train/run.h"

namespace mindspeed {

// Gathers one logical tensor after the other on rank 0, which writes it to plan.checkpoint.export_hf.
// Collective.
void export_weights(TrainingRun& run);

}  // namespace mindspeed
