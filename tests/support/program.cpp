#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void open_as(const char* path, int flags, int target) {
  const int fd = ::open(path, flags, 0644);
  if (fd < 0 || ::dup2(fd, target) < 0) ::_exit(126);
}

}  // namespace

Answer run_program(const std::vector<std::string>& words) {
  std::vector<std::string> all{std::string(MINDSPEED_BINARY_DIR) + "/bin/mindspeed"};
  all.insert(all.end(), words.begin(), words.end());
  return run_command(std::move(all));
}

Answer run_command(std::vector<std::string> words) {
  const std::string folder = temporary_dir("program"), out = folder + "/out", error = folder + "/error";
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    open_as("/dev/null", O_RDONLY, 0);
    open_as(out.c_str(), O_CREAT | O_WRONLY, 1);
    open_as(error.c_str(), O_CREAT | O_WRONLY, 2);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(error)};
}

}  // namespace mindspeed::test
