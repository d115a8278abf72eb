// Who this process is among the ranks of a run, as a launcher told it (front/launch reads the environment).
#pragma once

#include <string>

namespace mindspeed {

struct RankEnvironment {
  std::string launcher = "none";  // torchrun | env | mpirun | slurm | none; for messages
  int rank = 0, world = 1;
  int local_rank = 0, local_world = 1;  // on this host
  std::string master_address = "127.0.0.1";
  int master_port = 0;
  int restart = 0;              // attempt of an elastic launcher: separates the keys of attempts in one store
  bool external_store = false;  // the launcher hosts the key-value store: every rank is a client
  int listen_fd = -1;           // rank 0: a bound socket to serve the store from; -1 = bind master_port
  std::string interface;  // network interface (GLOO_SOCKET_IFNAME); empty = the one that reaches the master
  int threads = 0;        // OMP_NUM_THREADS, 0 = not set
  bool terminal = false;  // stderr leads to a terminal although it is a pipe: live progress is welcome
};

}  // namespace mindspeed
