// What `cmake --install` writes runs wherever it is moved and brings its libraries.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "tests/support/program.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

namespace fs = std::filesystem;

// "calling init: PATH" in what the loader tells with LD_DEBUG=files.
std::set<std::string> loaded(const std::string& trace) {
  constexpr std::string_view kMark = "calling init: ";
  std::set<std::string> out;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);)
    if (const size_t at = line.find(kMark); at != line.npos)
      out.insert(fs::weakly_canonical(line.substr(at + kMark.size())).string());
  return out;
}

TEST(Install, MovedFolderRunsOnItsOwnLibraries) {
  const fs::path folder = test::temporary_dir("install"), moved = folder / "moved";
  const auto installed =
      test::run_command({"cmake", "--install", MINDSPEED_BINARY_DIR, "--prefix", (folder / "first").string()});
  ASSERT_EQ(installed.code, 0) << installed.error;
  fs::rename(folder / "first", moved);
  const std::string program = (moved / "bin/mindspeed").string();

  // The doctor opens the engine and the reader of parquet files.
  const auto doctor = test::run_command({"env", "LD_DEBUG=files", program, "doctor"});
  const std::set<std::string> libraries = loaded(doctor.error);
  EXPECT_GT(libraries.size(), 20u);
  for (const std::string& library : libraries) {
    const std::string name = fs::path(library).filename();
    const bool of_every_system = name.starts_with("ld-linux") || name.starts_with("libc.so") ||
                                 name.starts_with("libm.so") || name.starts_with("libdl.so") ||
                                 name.starts_with("librt.so") || name.starts_with("libutil.so") ||
                                 name.starts_with("libpthread.so") || name.starts_with("libresolv.so") ||
                                 name.starts_with("libstdc++.so") || name.starts_with("libgcc_s.so");
    EXPECT_TRUE(of_every_system || library.starts_with(moved.string())) << library;
  }
  EXPECT_NE(doctor.out.find("libmindspeed_engine.so opens"), std::string::npos) << doctor.out;
  EXPECT_NE(doctor.out.find("libmindspeed_parquet.so opens"), std::string::npos) << doctor.out;

  const auto trained = test::run_command({program, "pretrain", "--preset", "debug", "--mock-data", "--seq-length",
                                          "64", "--train-iters", "2", "--lr", "1e-3"});
  EXPECT_EQ(trained.code, 0) << trained.error;
  EXPECT_TRUE(test::prove("install", "moved folder", !HasFailure()));
}

}  // namespace
}  // namespace mindspeed
