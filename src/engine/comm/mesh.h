// The grid of ranks. Built once, validated once, passed as an argument.
#pragma once

#include <memory>

#include "engine/comm/group.h"
#include "front/plan/plan.h"

namespace mindspeed {

class Session;  // rendezvous store, connections, watch; internal to comm/

// Coordinates of this rank; global rank = ((pp * dp_size + dp) * cp_size + cp) * tp_size + tp (Megatron's tp-cp-ep-dp-pp).
struct Mesh {
  MeshDegrees degrees;
  int rank = 0;
  int tp_rank = 0, cp_rank = 0, dp_rank = 0, pp_rank = 0;
  std::shared_ptr<Group> world, tp, cp, dp, pp;
  std::shared_ptr<Group> model;      // tp x pp of one data-parallel replica: norms and decisions about one model copy
  std::shared_ptr<Group> embedding;  // first and last stage of this (tp, cp, dp): tied embedding gradients

  std::shared_ptr<Session> session;  // null in a single process

  bool first_stage() const { return pp_rank == 0; }
  bool last_stage() const { return pp_rank == degrees.pp - 1; }
};

// The mesh of a single process.
Mesh single_mesh();

}  // namespace mindspeed
