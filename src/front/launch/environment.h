// Reads what a launcher says about this process. The program passes the environment in as a map.
#pragma once

#include <map>
#include <string>

#include "front/base/rank_environment.h"

namespace mindspeed {

using EnvironmentMap = std::map<std::string, std::string>;

// The map of a NULL-terminated array of "NAME=value" (the program's `environ`).
EnvironmentMap environment_map(const char* const* entries);

// Detection order: TORCHELASTIC_USE_AGENT_STORE (torchrun --no-python), RANK (env: Kubernetes, `mindspeed
// launch`), OMPI_COMM_WORLD_RANK (mpirun), SLURM_PROCID with more than one task (srun), else one rank.
// MASTER_ADDR and MASTER_PORT win where they are set. Without them mpirun on one host and srun derive the
// port from the job, so that all ranks agree; mpirun over several hosts is refused with the flags to add.
// Throws Error (usage) naming the variable for a missing or malformed value, or a rank outside the world.
RankEnvironment rank_environment(const EnvironmentMap& environment);

// The first host of a Slurm node list: "gpu[03-05,9],login1" -> "gpu03".
std::string first_slurm_host(const std::string& node_list);

}  // namespace mindspeed
