#include "front/base/plugin.h"

#include <dlfcn.h>

#include "front/base/error.h"

namespace mindspeed {

Plugin::Plugin(const std::string& op, const std::string& file, const std::string& remedy) : op_(op) {
  // By its whole path: the search path of the program is not that of a sanitizer's dlopen.
  path_ = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib/mindspeed" / file;
  handle_ = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) refuse(op_, "{} cannot be opened ({}); {}", file, ::dlerror(), remedy);
}

void* Plugin::symbol(const char* name) const {
  void* found = ::dlsym(handle_, name);
  if (found == nullptr)
    fail(op_, "{} lacks {}: it belongs to another version; build again", path_.string(), name);
  return found;
}

}  // namespace mindspeed
