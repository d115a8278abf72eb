// The state of a run as a list of pieces, independent of how it is stored: weights, moments, master copies.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "engine/comm/mesh.h"
#include "engine/nn/parameter.h"
#include "front/formats/checkpoint/region.h"

namespace mindspeed {

// Elements of a logical tensor that this rank holds in `data`. Saving reads data, loading writes into it.
struct StatePiece {
  std::string group;           // "model", "master", "exp_avg", "exp_avg_sq", "momentum"
  std::string name;            // logical tensor
  std::vector<int64_t> shape;  // of the logical tensor
  Region region;               // which elements
  at::Tensor data;             // [region.elements()], contiguous
  bool saved = true;           // false on ranks that hold a replica
};

// Name under which a parameter's state is stored: its own, or that of the tensor it is tied to.
const std::string& stored_name(const Parameter& parameter);

// True on the one tensor- and context-parallel rank that speaks for these elements: tied copies and replicas
// of an uncut tensor on other ranks do not. Says nothing about data-parallel replicas.
bool speaks_for(const Parameter& parameter, const Mesh& mesh);

// Adds the pieces of elements [offset, offset + n) of a parameter's local tensor (row-major), where n is the
// length of `flat` [n]. Padding rows are left out: they are no part of the logical tensor.
void add_pieces(std::vector<StatePiece>& pieces, const std::string& group, const Parameter& parameter,
                int64_t offset, const at::Tensor& flat, bool saved);

// The weights of all parameters; data-parallel rank 0 saves them.
std::vector<StatePiece> model_pieces(const std::vector<Parameter*>& parameters, const Mesh& mesh);

}  // namespace mindspeed
