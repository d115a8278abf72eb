// Starts the ranks of a run on this host and watches over them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "front/launch/environment.h"

namespace mindspeed {

struct LaunchOptions {
  int ranks = 1;
  int max_restarts = 0;
  std::string program;                 // file to execute, e.g. /proc/self/exe
  std::vector<std::string> arguments;  // without the program's name
  EnvironmentMap environment;          // of the launcher; ranks get it with RANK, WORLD_SIZE ... added
  double notice_seconds = 5;           // after a rank died the others may find out and say why
  double grace_seconds = 10;           // between SIGTERM and SIGKILL
};

inline constexpr const char* kLaunchUsage =
    "usage: mindspeed launch --nproc N [--max-restarts K] -- COMMAND [ARGUMENTS]\n"
    "Starts N ranks of `mindspeed COMMAND ARGUMENTS` on this host.\n"
    "  --nproc N          ranks to start\n"
    "  --max-restarts K   start all ranks again, at most K times, after one failed (default 0)\n";

// Reads "--nproc 2 --max-restarts 1 -- pretrain --preset debug". Throws Error (usage) for what it does not
// know.
LaunchOptions parse_launch(std::span<const std::string> arguments);

// What rank `rank` is given: RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT,
// TORCHELASTIC_RESTART_COUNT, and OMP_NUM_THREADS = cores / ranks unless it is set.
EnvironmentMap rank_variables(const LaunchOptions& options, int rank, int port, int restart, int cores);

// Runs all ranks until they end. SIGTERM, SIGINT and SIGHUP are passed on. Rank 0 writes to our stdout and
// stderr, the lines of the others are prefixed with "[rank r]". When a rank fails the others are ended (after
// a notice SIGTERM, after the grace SIGKILL) and the first failure is printed last. Returns its exit code,
// 128 + n for signal n, or 0.
int supervise(const LaunchOptions& options);

}  // namespace mindspeed
