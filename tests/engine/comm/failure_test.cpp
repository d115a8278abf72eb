// When one rank dies, hangs or fails, all others end within seconds and name it.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "engine/comm/failure.h"
#include "tests/support/ranks.h"

namespace mindspeed::test {
namespace {

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), length);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(fd);
  return ntohs(address.sin_port);
}

// argument: "<victim> <signal or 0 = throws> <step> <port>"; rank 0 hosts the store itself. Reduces until the
// victim strikes in that step.
void train_until_trouble(Rank& rank) {
  int victim = 0, signal = 0, strike = 0;
  std::sscanf(rank.argument.c_str(), "%d %d %d %d", &victim, &signal, &strike, &rank.environment.master_port);
  rank.environment.external_store = false;
  Mesh mesh = rank.mesh({.dp = rank.world}, {.silence = std::chrono::milliseconds(3000)});
  run_guarded(mesh, [&] {
    for (int step = 0; step < 10000; ++step) {
      if (step == strike && rank.index == victim) {
        if (signal == 0) fail("data", "shard 7 is damaged");
        ::raise(signal);
      }
      at::Tensor x = at::ones({1000});
      mesh.dp->all_reduce(x);
    }
    return 0;
  });
}

// Runs it with 3 ranks; every rank but the victim must end with code 1 in time and say `needle`.
void expect_all_end(int victim, int signal, double seconds, const std::string& needle, int strike = 5) {
  const std::string argument = fmt::format("{} {} {} {}", victim, signal, strike, free_port());
  const auto outcomes = ranks(3).run_raw(train_until_trouble, argument, 2 * seconds, /*ignored=*/victim);
  for (int r = 0; r < 3; ++r) {
    if (r == victim) continue;
    EXPECT_FALSE(outcomes[r].answered) << outcomes[r].message;
    EXPECT_EQ(outcomes[r].exit_code, 1) << "rank " << r << " ended by signal " << outcomes[r].signal
                                        << " after " << outcomes[r].seconds << " s";
    EXPECT_LT(outcomes[r].seconds, seconds) << "rank " << r;
    EXPECT_NE(outcomes[r].errors.find(needle), std::string::npos)
        << "rank " << r << ": " << outcomes[r].errors;
  }
}

TEST(Failure, AKilledRankEndsAllOthersWithinSecondsByName) {
  expect_all_end(1, SIGKILL, 15, "rank 1 died or hangs");
}

// At once: its watch may not yet have written a sign of life.
TEST(Failure, ARankKilledAsSoonAsItHasJoinedIsNamedToo) {
  for (int attempt = 0; attempt < 3; ++attempt)
    expect_all_end(1, SIGKILL, 15, "rank 1 died or hangs", /*strike=*/0);
}

TEST(Failure, AStoppedRankEndsAllOthersWithinSecondsByName) {
  expect_all_end(2, SIGSTOP, 15, "rank 2 died or hangs");
}

TEST(Failure, TheKilledHostOfTheStoreEndsAllOthersByName) { expect_all_end(0, SIGKILL, 15, "rank 0"); }

TEST(Failure, AnErrorOnOneRankIsToldByAllOthers) {
  expect_all_end(1, 0, 15, "rank 1 failed: [data] shard 7 is damaged");
}

TEST(Failure, RanksThatFinishLeaveTogetherWithTheirResult) {
  ranks(2).run([](Rank& rank) {
    Mesh mesh = rank.mesh({.dp = 2});
    EXPECT_EQ(run_guarded(mesh,
                          [&] {
                            if (rank.index == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
                            return 7;
                          }),
              7);
  });
}

// The store names every connection; were that a question to a DNS server, one lost packet would stop it for 5
// s. 192.0.2.1 is kept for documentation (RFC 5737), 127.0.0.1 would be "localhost".
TEST(HostNames, AreNumbersForEveryLibraryOfTheProcess) {
  for (const char* number : {"127.0.0.1", "192.0.2.1"}) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, number, &address.sin_addr);
    char host[NI_MAXHOST] = {};
    const auto lookup = reinterpret_cast<decltype(&::getnameinfo)>(::dlsym(RTLD_DEFAULT, "getnameinfo"));
    ASSERT_EQ(lookup(reinterpret_cast<sockaddr*>(&address), sizeof address, host, sizeof host, nullptr, 0, 0),
              0);
    EXPECT_STREQ(host, number);
  }
}

// The harness itself: a failure in one rank must fail the test, or every test built on it is worthless.
TEST(RankHarness, ReportsAFailedExpectationAndAnExceptionOfOneRank) {
  const auto outcomes = ranks(2).run_raw(
      [](Rank& rank) {
        EXPECT_EQ(rank.index, 0);
        if (rank.index == 0) throw std::runtime_error("boom");
      },
      "", 60);
  EXPECT_NE(outcomes[0].message.find("boom"), std::string::npos);
  EXPECT_NE(outcomes[1].message.find("Expected equality"), std::string::npos);
}

}  // namespace
}  // namespace mindspeed::test
