// `mindspeed doctor`: what is right and wrong with this machine, a run's folder, a model, or the way to
// another machine.
#include <fmt/format.h>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/doctor/checks.h"
#include "front/doctor/request.h"

namespace mindspeed::app {
namespace {

constexpr int kPatience = 30;  // seconds for the other machine

Findings examined(const DoctorRequest& request, const EnvironmentMap& environment) {
  if (request.listen > 0) return listen_for_peer(request.listen, kPatience);
  if (!request.peer.empty()) return reach_peer(request.peer, request.peer_port, kPatience);
  Findings all;
  const auto add = [&](const Findings& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(examine_machine(environment));
  add(examine_libraries());
  add(examine_disk(request.run.empty() ? fs::path(".") : fs::path(request.run)));
  add(examine_network(request.port));
  if (!request.run.empty()) add(examine_run(request.run, request.deep));
  if (!request.model.empty()) add(examine_weights(request.model, request.deep));
  return all;
}

}  // namespace

int run_doctor(const Invocation& invocation) {
  const DoctorRequest request = doctor_request(invocation.words);
  const Findings findings = examined(request, invocation.environment);
  fmt::print("{}", request.json ? findings_json(findings) : findings_text(findings));
  return healthy(findings) ? kExitOk : kExitFailure;
}

}  // namespace mindspeed::app
