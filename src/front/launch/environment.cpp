#include "front/launch/environment.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "front/base/error.h"

namespace mindspeed {
namespace {

class Reader {
 public:
  Reader(const EnvironmentMap& map, std::string launcher) : map_(map), launcher_(std::move(launcher)) {}

  bool has(const std::string& name) const { return map_.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = map_.find(name);
    return found == map_.end() ? otherwise : found->second;
  }
  int number(const std::string& name, std::optional<int> otherwise = std::nullopt) const {
    const auto found = map_.find(name);
    if (found == map_.end()) {
      if (otherwise) return *otherwise;
      refuse("launch", "{} is not set although {} started this process; it is needed to find the other ranks",
             name, launcher_);
    }
    int value = 0;
    const std::string& digits = found->second;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size() || value < 0)
      refuse("launch", "{}='{}'; a whole number was needed; check what {} sets", name, digits, launcher_);
    return value;
  }

 private:
  const EnvironmentMap& map_;
  std::string launcher_;
};

// A port outside the range that systems hand out by themselves (32768 on), the same for all ranks of a job.
int port_from(const std::string& job) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : job) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return 15000 + static_cast<int>(hash % 15000);
}

RankEnvironment from_rank_variables(const Reader& in, bool elastic) {
  RankEnvironment out;
  out.launcher = elastic ? "torchrun" : "env";
  out.rank = in.number("RANK");
  out.world = in.number("WORLD_SIZE");
  out.local_rank = in.number("LOCAL_RANK", 0);
  // Without the variable nothing says that the ranks share a host.
  out.local_world = in.number("LOCAL_WORLD_SIZE", 1);
  out.restart = in.number("TORCHELASTIC_RESTART_COUNT", 0);
  out.external_store = elastic && in.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  out.listen_fd = in.has("MINDSPEED_LISTEN_FD") && out.rank == 0 ? in.number("MINDSPEED_LISTEN_FD") : -1;
  if (out.world > 1) {
    out.master_address = in.text("MASTER_ADDR");
    out.master_port = in.number("MASTER_PORT");
    if (out.master_address.empty())
      refuse("launch", "MASTER_ADDR is not set for rank {} of {}; set it to the address of rank 0", out.rank,
             out.world);
  }
  return out;
}

RankEnvironment from_mpirun(const Reader& in) {
  RankEnvironment out;
  out.launcher = "mpirun";
  out.rank = in.number("OMPI_COMM_WORLD_RANK");
  out.world = in.number("OMPI_COMM_WORLD_SIZE");
  out.local_rank = in.number("OMPI_COMM_WORLD_LOCAL_RANK", 0);
  out.local_world = in.number("OMPI_COMM_WORLD_LOCAL_SIZE", 1);
  if (out.world != out.local_world && !in.has("MASTER_ADDR"))
    refuse("launch",
           "mpirun started {} ranks on several hosts and MASTER_ADDR is not set; add "
           "-x MASTER_ADDR=<address of rank 0> -x MASTER_PORT=29500",
           out.world);
  out.master_address = in.text("MASTER_ADDR", "127.0.0.1");
  const std::string job = in.text("PMIX_NAMESPACE", in.text("OMPI_MCA_ess_base_jobid", "mpirun"));
  out.master_port = in.number("MASTER_PORT", port_from(job));
  return out;
}

RankEnvironment from_slurm(const Reader& in) {
  RankEnvironment out;
  out.launcher = "slurm";
  out.rank = in.number("SLURM_PROCID");
  out.world = in.number("SLURM_NTASKS");
  out.local_rank = in.number("SLURM_LOCALID", 0);
  out.local_world = in.number("SLURM_NNODES", 0) == 1 ? out.world : 1;
  const std::string hosts = in.text("SLURM_STEP_NODELIST", in.text("SLURM_JOB_NODELIST"));
  if (!in.has("MASTER_ADDR") && hosts.empty())
    refuse("launch",
           "neither MASTER_ADDR nor SLURM_JOB_NODELIST is set for rank {} of {}; start with srun, or set "
           "MASTER_ADDR",
           out.rank, out.world);
  out.master_address = in.has("MASTER_ADDR") ? in.text("MASTER_ADDR") : first_slurm_host(hosts);
  out.master_port =
      in.number("MASTER_PORT", port_from(in.text("SLURM_JOB_ID") + "." + in.text("SLURM_STEP_ID")));
  return out;
}

RankEnvironment detect(const EnvironmentMap& map) {
  if (map.contains("TORCHELASTIC_USE_AGENT_STORE")) return from_rank_variables(Reader(map, "torchrun"), true);
  if (map.contains("RANK")) return from_rank_variables(Reader(map, "the launcher"), false);
  if (map.contains("OMPI_COMM_WORLD_RANK")) return from_mpirun(Reader(map, "mpirun"));
  const Reader slurm(map, "srun");
  if (map.contains("SLURM_PROCID") && slurm.number("SLURM_NTASKS", 1) > 1) return from_slurm(slurm);
  return {};
}

}  // namespace

EnvironmentMap environment_map(const char* const* entries) {
  EnvironmentMap map;
  for (; entries != nullptr && *entries != nullptr; ++entries) {
    const std::string entry = *entries;
    const size_t equals = entry.find('=');
    if (equals != std::string::npos) map[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return map;
}

RankEnvironment rank_environment(const EnvironmentMap& environment) {
  RankEnvironment out = detect(environment);
  if (out.world < 1 || out.rank >= out.world)
    refuse("launch", "{} says rank {} of {} ranks; a rank from 0 to the number of ranks - 1 was needed",
           out.launcher, out.rank, out.world);
  out.local_world = std::max(out.local_world, out.local_rank + 1);
  const auto interface = environment.find("GLOO_SOCKET_IFNAME");
  if (interface != environment.end()) out.interface = interface->second;
  if (const auto threads = environment.find("OMP_NUM_THREADS"); threads != environment.end()) {
    // OpenMP allows a list, one count per level of nesting.
    const std::string& text = threads->second;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out.threads);
    if (fault != std::errc() || out.threads < 1 || (end != text.data() + text.size() && *end != ','))
      refuse("launch", "OMP_NUM_THREADS='{}'; a number of threads was needed; correct or unset it", text);
  }
  out.terminal = environment.contains("MINDSPEED_TERMINAL");
  return out;
}

std::string first_slurm_host(const std::string& node_list) {
  const size_t end = node_list.find_first_of("[,");
  std::string host = node_list.substr(0, end);
  if (end == std::string::npos || node_list[end] == ',') return host;
  const size_t stop = node_list.find_first_of(",-]", end + 1);
  host += node_list.substr(end + 1, stop - end - 1);
  const size_t close = node_list.find(']', end);
  const size_t next = node_list.find(',', close);  // what follows the bracket belongs to the name
  if (close != std::string::npos)
    host += node_list.substr(close + 1, next == std::string::npos ? next : next - close - 1);
  return host;
}

}  // namespace mindspeed
