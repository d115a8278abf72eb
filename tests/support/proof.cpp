#include "tests/support/proof.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace mindspeed::test {
namespace {

namespace fs = std::filesystem;

struct Cleaner {
  pid_t owner = ::getpid();
  std::vector<fs::path> folders;
  ~Cleaner() {
    std::error_code ignored;
    if (::getpid() == owner)
      for (const fs::path& folder : folders) fs::remove_all(folder, ignored);
  }
};

}  // namespace

bool prove(std::string_view family, std::string_view check, bool pass) {
  const char* folder = std::getenv("MINDSPEED_PROOF_DIR");
  if (folder == nullptr) return pass;
  fs::create_directories(folder);
  std::ofstream out(fs::path(folder) / fmt::format("{}.jsonl", ::getpid()), std::ios::app);
  out << fmt::format(R"({{"family":"{}","check":"{}","pass":{}}})", family, check, pass) << "\n";
  return pass;
}

std::string source_dir() { return fs::current_path().string(); }
std::string golden_dir() { return (fs::current_path() / "tests/golden").string(); }

std::string temporary_dir(std::string_view name) {
  static Cleaner cleaner;
  static int counter = 0;
  fs::path folder = fs::temp_directory_path() / fmt::format("mindspeed-test-{}-{}-{}", ::getpid(), name, counter++);
  fs::remove_all(folder);
  fs::create_directories(folder);
  cleaner.folders.push_back(folder);
  return folder.string();
}

}  // namespace mindspeed::test
