// The supervisor with shell scripts as ranks.
#include "front/launch/supervisor.h"

#include <gtest/gtest.h>

#include <chrono>

#include "front/base/error.h"

namespace mindspeed {
namespace {

struct Result {
  int code = 0;
  double seconds = 0;
  std::string out, err;
  std::string last_line() const {
    const std::string text = err.substr(0, err.find_last_not_of('\n') + 1);
    return text.substr(text.find_last_of('\n') + 1);
  }
};

// Runs `script` as two ranks.
Result launch(const std::string& script, int max_restarts = 0) {
  LaunchOptions options;
  options.ranks = 2;
  options.max_restarts = max_restarts;
  options.program = "/bin/sh";
  options.arguments = {"-c", script};
  options.environment = {{"PATH", "/usr/bin:/bin"}};
  options.notice_seconds = 0.3;
  options.grace_seconds = 0.5;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto begin = std::chrono::steady_clock::now();
  Result result;
  result.code = supervise(options);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

TEST(Supervise, GivesEachRankItsPlaceAndPrefixesTheOutputOfTheOthers) {
  const Result result =
      launch("echo $RANK/$WORLD_SIZE at $MASTER_ADDR; echo note >&2; test -n \"$OMP_NUM_THREADS\"");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("0/2 at 127.0.0.1\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("[rank 1] 1/2 at 127.0.0.1\n"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("[rank 1] note\n"), std::string::npos) << result.err;
}

TEST(Supervise, EndsTheOthersAndPrintsTheFirstFailureLast) {
  const Result result = launch("[ $RANK = 0 ] && exec sleep 60; echo 'error: [data] bad shard' >&2; exit 3");
  EXPECT_EQ(result.code, 3);
  EXPECT_LT(result.seconds, 10);
  EXPECT_EQ(result.last_line(), "error: [launch] rank 1 ended first, with exit code 3: [data] bad shard");
}

TEST(Supervise, KillsARankThatIgnoresSigterm) {
  const Result result = launch("[ $RANK = 0 ] && { trap '' TERM; while :; do sleep 1; done; }; kill -9 $$");
  EXPECT_EQ(result.code, 128 + 9);
  EXPECT_LT(result.seconds, 10);
  EXPECT_EQ(result.last_line(), "error: [launch] rank 1 ended first, with signal 9");
}

TEST(Supervise, PassesSigtermOnSoThatRanksCanSave) {
  // Rank 0 asks its parent, the supervisor, to stop; every rank catches the signal and ends well.
  const Result result = launch(
      "trap 'echo saved; exit 0' TERM; [ $RANK = 0 ] && { sleep 0.5; kill -TERM $PPID; }; "
      "i=0; while [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done; exit 4");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("saved"), std::string::npos);
  EXPECT_NE(result.out.find("[rank 1] saved"), std::string::npos);
}

TEST(Supervise, StartsAllRanksAgainAfterAFailure) {
  const std::string script =
      "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0; [ $RANK = 1 ] && exit 5; exec sleep 60";
  EXPECT_EQ(launch(script, 1).code, 0);
  EXPECT_EQ(launch(script, 0).code, 5);
}

TEST(Supervise, ReportsAProgramThatCannotBeExecuted) {
  LaunchOptions options;
  options.program = "/nonexistent";
  testing::internal::CaptureStderr();
  const int code = supervise(options);
  EXPECT_EQ(code, 127);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("could not be executed: No such file"),
            std::string::npos);
}

TEST(ParseLaunch, ReadsItsFlagsAndTheCommandAfterTheDashes) {
  const std::vector<std::string> words{"--nproc", "4", "--max-restarts=2", "--", "pretrain", "--tp", "2"};
  const LaunchOptions options = parse_launch(words);
  EXPECT_EQ(options.ranks, 4);
  EXPECT_EQ(options.max_restarts, 2);
  EXPECT_EQ(options.arguments, (std::vector<std::string>{"pretrain", "--tp", "2"}));
}

TEST(ParseLaunch, RefusesWhatItDoesNotKnow) {
  const auto refused = [](std::vector<std::string> words, const std::string& needle) {
    try {
      parse_launch(words);
      return false;
    } catch (const Error& error) {
      return error.exit_code() == kExitUsage && std::string(error.what()).find(needle) != std::string::npos;
    }
  };
  EXPECT_TRUE(refused({"--nprocs", "2", "--", "x"}, "unknown argument '--nprocs'"));
  EXPECT_TRUE(refused({"--nproc", "0", "--", "x"}, "at least 1"));
  EXPECT_TRUE(refused({"--nproc", "2"}, "no command"));
  EXPECT_TRUE(refused({"--", "x"}, "--nproc is missing"));
  EXPECT_TRUE(refused({"--nproc", "99999", "--", "pretrain"}, "1 to 1024 ranks"));
  EXPECT_TRUE(
      refused({"--nproc", "2", "--nproc", "1", "--", "pretrain"}, "--nproc came twice, as 2 and as 1"));
  EXPECT_TRUE(refused({"--nproc", "2", "--", "convert"}, "'convert' is not a command of many ranks"));
}

}  // namespace
}  // namespace mindspeed
