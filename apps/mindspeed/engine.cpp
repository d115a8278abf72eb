// Opens the engine, which brings libtorch with it, only for commands that compute.
#include <dlfcn.h>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/base/file.h"
#include "front/plan/engine_entry.h"

namespace mindspeed::app {

int run_engine(const std::string& command, const void* request) {
  // bin/mindspeed and lib/libmindspeed_engine.so stand side by side, installed or in a build folder.
  const fs::path library =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "libmindspeed_engine.so";
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail("engine", "{}; run `make` to build the engine", dlerror());
  const auto run = reinterpret_cast<decltype(&mindspeed_engine_run)>(dlsym(handle, "mindspeed_engine_run"));
  if (run == nullptr)
    fail("engine", "{} has no entry point; build it again: {}", library.string(), dlerror());
  return run(command.c_str(), request);
}

}  // namespace mindspeed::app
