// `mindspeed launch --nproc N -- COMMAND ...`
#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/launch/supervisor.h"

namespace mindspeed::app {

int run_launch(const Invocation& invocation) {
  LaunchOptions options = parse_launch(invocation.words);
  if (const RankEnvironment outer = rank_environment(invocation.environment); outer.world > 1)
    refuse("launch",
           "it was started as rank {} of {} ({}); start it once, or start the command itself on every rank",
           outer.rank, outer.world, outer.launcher);
  options.program = fs::read_symlink("/proc/self/exe").string();
  options.environment = invocation.environment;
  return supervise(options);
}

}  // namespace mindspeed::app
