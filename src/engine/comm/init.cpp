#include "engine/comm/init.h"

#include <c10/util/Exception.h>

#include "engine/comm/failure.h"
#include "engine/comm/session.h"

namespace mindspeed {
namespace {

void check_degrees(const MeshDegrees& degrees, const RankEnvironment& environment) {
  if (degrees.tp < 1 || degrees.cp < 1 || degrees.dp < 1 || degrees.pp < 1)
    refuse("mesh", "tp={} cp={} dp={} pp={}; every degree must be at least 1", degrees.tp, degrees.cp,
           degrees.dp, degrees.pp);
  if (degrees.world() != environment.world)
    refuse("mesh",
           "tp={} x cp={} x dp={} x pp={} = {} ranks, but {} were started (launcher: {}); start {} ranks or "
           "change a degree",
           degrees.tp, degrees.cp, degrees.dp, degrees.pp, degrees.world(), environment.world,
           environment.launcher, degrees.world());
}

int rank_at(const MeshDegrees& d, int tp, int cp, int dp, int pp) {
  return ((pp * d.dp + dp) * d.cp + cp) * d.tp + tp;
}

Mesh coordinates(const MeshDegrees& degrees, int rank) {
  Mesh mesh = single_mesh();
  mesh.degrees = degrees;
  mesh.rank = rank;
  mesh.tp_rank = rank % degrees.tp;
  mesh.cp_rank = rank / degrees.tp % degrees.cp;
  mesh.dp_rank = rank / (degrees.tp * degrees.cp) % degrees.dp;
  mesh.pp_rank = rank / (degrees.tp * degrees.cp * degrees.dp);
  return mesh;
}

// Every kind of group partitions the world, so each rank builds one of each kind, in the same order
// everywhere.
void build_groups(Mesh& mesh, Session& session) {
  const MeshDegrees& d = mesh.degrees;
  const auto make = [&](const char* name, const std::vector<int>& ranks) {
    return ranks.size() == 1 ? single_group(name, mesh.rank) : session.group(name, ranks);
  };
  std::vector<int> world, tp, cp, dp, pp, model, embedding;
  for (int rank = 0; rank < d.world(); ++rank) world.push_back(rank);
  for (int i = 0; i < d.tp; ++i) tp.push_back(rank_at(d, i, mesh.cp_rank, mesh.dp_rank, mesh.pp_rank));
  for (int i = 0; i < d.cp; ++i) cp.push_back(rank_at(d, mesh.tp_rank, i, mesh.dp_rank, mesh.pp_rank));
  for (int i = 0; i < d.dp; ++i) dp.push_back(rank_at(d, mesh.tp_rank, mesh.cp_rank, i, mesh.pp_rank));
  for (int i = 0; i < d.pp; ++i) pp.push_back(rank_at(d, mesh.tp_rank, mesh.cp_rank, mesh.dp_rank, i));
  for (int p = 0; p < d.pp; ++p)
    for (int t = 0; t < d.tp; ++t) model.push_back(rank_at(d, t, mesh.cp_rank, mesh.dp_rank, p));
  if (mesh.first_stage() || mesh.last_stage())
    embedding = d.pp == 1 ? std::vector{mesh.rank} : std::vector{pp.front(), pp.back()};
  else
    embedding = {mesh.rank};  // middle stages hold no embedding
  mesh.world = make("world", world);
  mesh.tp = make("tp", tp);
  mesh.cp = make("cp", cp);
  mesh.dp = make("dp", dp);
  mesh.pp = make("pp", pp);
  mesh.model = make("model", model);
  mesh.embedding = make("embedding", embedding);
}

// The failure is this rank's own: all others learn it.
[[noreturn]] void leave_as_culprit(Watch& watch, const std::string& message, int exit_code) {
  watch.announce(message);
  watch.leave(message, exit_code);
}

// A peer was lost: waits until the watch knows whose fault it was, else says what was seen.
[[noreturn]] void leave_as_victim(Watch& watch, const Mesh& mesh, const std::string& message) {
  const auto culprit = watch.who_failed(std::chrono::milliseconds(4000));
  if (culprit)
    watch.leave(fmt::format("[comm] rank {} stops because {} ({})", mesh.rank, *culprit, message), 1);
  leave_as_culprit(watch, message, 1);
}

// Runs `body`; an exception is told to all ranks and ends this process.
int guarded(Watch& watch, const Mesh& mesh, const std::function<int()>& body) {
  try {
    return body();
  } catch (const CommError& error) {
    leave_as_victim(watch, mesh, error.what());
  } catch (const Error& error) {
    leave_as_culprit(watch, error.what(), error.exit_code());
  } catch (const c10::Error& error) {
    leave_as_culprit(watch, fmt::format("[engine] {}", error.what_without_backtrace()), kExitFailure);
  } catch (const std::exception& error) {
    leave_as_culprit(watch, error.what(), kExitFailure);
  }
}

}  // namespace

Mesh build_mesh(const MeshDegrees& degrees, const RankEnvironment& environment, const CommOptions& options) {
  check_degrees(degrees, environment);
  Mesh mesh = coordinates(degrees, environment.rank);
  if (environment.world == 1) return mesh;
  mesh.session = std::make_shared<Session>(environment, options);
  const auto connect = [&mesh] {
    build_groups(mesh, *mesh.session);
    mesh.world->barrier();  // nobody leaves while another is still connecting
    return 0;
  };
  if (Watch* watch = mesh.session->watch())
    guarded(*watch, mesh, connect);
  else
    connect();
  return mesh;
}

void leave_mesh(Mesh& mesh) {
  if (mesh.session) mesh.session->goodbye(*mesh.world);
}

int run_guarded(Mesh& mesh, const std::function<int()>& body) {
  Watch* watch = mesh.session ? mesh.session->watch() : nullptr;
  if (watch == nullptr) return body();
  return guarded(*watch, mesh, [&] {
    const int code = body();
    leave_mesh(mesh);
    return code;
  });
}

}  // namespace mindspeed
