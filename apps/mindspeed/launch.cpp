// `mindspeed launch --nproc N -- COMMAND ...`
#include "apps/mindspeed/commands.h"
#include "front/launch/supervisor.h"

namespace mindspeed::app {

int run_launch(const Invocation& invocation) {
  LaunchOptions options = parse_launch(invocation.words);
  options.program = fs::read_symlink("/proc/self/exe").string();
  options.environment = invocation.environment;
  return supervise(options);
}

}  // namespace mindspeed::app
