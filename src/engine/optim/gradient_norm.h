// Global gradient norm, finiteness and clipping over all ranks.
#pragma once

#include <string>
#include <vector>

#include "engine/comm/mesh.h"
#include "engine/optim/optimizer.h"

namespace mindspeed {

struct GradientNorm {
  double norm = 0.0;   // of the whole model, each logical element counted once
  bool finite = true;  // on every rank; the same answer everywhere
};

// Collective. `sharded`: the ranges of the dp ranks are disjoint parts, so their squares are summed as well.
GradientNorm gradient_norm(const std::vector<OptimRange>& ranges, const Mesh& mesh, bool sharded);

// max_norm / (norm + 1e-6) when that is below 1, else 1; max_norm 0 = no clipping. Source: Megatron
// clip_grads.py.
double clip_coefficient(double norm, double max_norm);

// The first range (in table order) with a NaN or infinity, or empty.
std::string first_non_finite(const std::vector<OptimRange>& ranges);

}  // namespace mindspeed
