// The program: dispatch to a sub-command, and errors in one line.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/base/text.h"

extern char** environ;

namespace {

int dispatch(const std::vector<std::string>& words) {
  using namespace mindspeed;
  const std::string name = words.empty() || words[0] == "--help" || words[0] == "-h" ? "help"
                           : words[0] == "--version"                                 ? "version"
                                                                                     : words[0];
  app::Invocation invocation{{}, environment_map(environ)};
  if (words.size() > 1) invocation.words.assign(words.begin() + 1, words.end());
  const app::CommandRow* command = app::find_command(name);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const app::CommandRow& row : app::commands()) names.emplace_back(row.name);
    const std::string nearest = nearest_name(name, names);
    refuse("mindspeed", "unknown command '{}'; {}", name,
           nearest.empty() ? std::string("`mindspeed help` lists all")
                           : fmt::format("did you mean '{}'?", nearest));
  }
  const bool asks_help =
      !invocation.words.empty() && (invocation.words[0] == "--help" || invocation.words[0] == "-h");
  if (asks_help && command->run != app::run_help) {
    invocation.words = {std::string(command->name)};
    return app::run_help(invocation);
  }
  return command->run(invocation);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = dispatch({argv + 1, argv + argc});
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "mindspeed: the output could not be written: {}\n", std::strerror(errno));
    return mindspeed::kExitFailure;
  } catch (const mindspeed::Error& e) {
    fmt::print(stderr, "mindspeed: {}\n", e.what());
    return e.exit_code();
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "mindspeed: [file] {}: {}\n", e.path1().string(), e.code().message());
    return mindspeed::kExitFailure;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "mindspeed: the memory of this machine is used up; make the model or the batch smaller\n");
    return mindspeed::kExitFailure;
  } catch (const std::exception& e) {
    fmt::print(stderr, "mindspeed: internal error, please report it: {}\n", e.what());
    return mindspeed::kExitFailure;
  }
}
