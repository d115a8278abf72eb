// Opens the engine, which brings libtorch with it, only for commands that compute.
#include "apps/mindspeed/commands.h"
#include "front/base/plugin.h"
#include "front/plan/engine_entry.h"

namespace mindspeed::app {

int run_engine(const std::string& command, const void* request) {
  const Plugin engine("engine", "libmindspeed_engine.so", "run `make` to build the engine");
  return engine.function<decltype(mindspeed_engine_run)>("mindspeed_engine_run")(command.c_str(), request);
}

}  // namespace mindspeed::app
