// Joining a run: rendezvous, process groups of the mesh, and leaving it, well or badly.
#pragma once

#include <chrono>
#include <functional>

#include "engine/comm/mesh.h"
#include "front/base/rank_environment.h"

namespace mindspeed {

struct CommOptions {
  std::chrono::milliseconds timeout{std::chrono::minutes(10)};  // of joining and of every collective
  std::chrono::milliseconds silence{
      std::chrono::seconds(6)};  // without a sign of life, after which a rank is given up
  bool watch = true;             // heartbeats; off only in tests of Gloo itself
};

// Joins the other ranks and builds the groups (size > 1 only; the same order everywhere; groups over the same
// ranks share connections). Collective over all ranks. Refuses degrees whose product is not the number of
// ranks. A rank lost while connecting ends all others as in run_guarded.
Mesh build_mesh(const MeshDegrees& degrees, const RankEnvironment& environment,
                const CommOptions& options = {});

// Agrees with all ranks that the mesh is no longer used (collective); without it the first to leave may break the
// others' connections. run_guarded does it on success.
void leave_mesh(Mesh& mesh);

// Runs `body` with every rank's fate tied to the others': returns its result after all ranks said goodbye. On
// an exception it tells all ranks, prints who caused the failure, and ends this process without unwinding
// (pending transfers would block for the whole timeout). A rank that dies or hangs ends all others within
// seconds.
int run_guarded(Mesh& mesh, const std::function<int()>& body);

}  // namespace mindspeed
