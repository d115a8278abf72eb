// Shared libraries of this program that are opened by name on first use (the engine, readers that bring large
// libraries with them).
#pragma once

#include <filesystem>
#include <string>

namespace mindspeed {

// One opened library. It stays open for the life of the process: what they bring starts threads that cannot
// be unloaded.
class Plugin {
 public:
  // Opens lib/mindspeed/FILE beside the folder of the program, installed or in a build folder alike.
  // Error: "OP: cannot be opened (reason); REMEDY".
  Plugin(const std::string& op, const std::string& file, const std::string& remedy);

  // The function called NAME. Error when the library has none: it belongs to another build.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  std::string op_;
  std::filesystem::path path_;
  void* handle_ = nullptr;
};

}  // namespace mindspeed
