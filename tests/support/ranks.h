// Ranks for tests: processes forked once per world size after libtorch is loaded, that host many cases each.
//
//   TEST(Comm, SumOverRanks) {
//     ranks(2).run([](Rank& rank) {
//       Mesh mesh = rank.mesh({.tp = 2});
//       at::Tensor x = at::full({3}, mesh.tp_rank + 1.0);
//       mesh.tp->all_reduce(x);
//       EXPECT_EQ(x[0].item<double>(), 3.0);    // fails the test, naming the rank
//       rank.put("x", x);                       // the parent reads it with ranks(2).get(rank, "x")
//     });
//   }
// A case is a lambda without captures (its address is valid in every fork); values go in through `argument`.
// The parent must not compute with many threads before the first fork: run single-rank references in
// ranks(1).
#pragma once

#include <ATen/ATen.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/comm/init.h"

namespace mindspeed::test {

// What a case sees inside a rank.
class Rank {
 public:
  int index = 0, world = 1;
  std::string argument;

  // A mesh over all ranks of the world; may be called several times (collective). It lives until the case
  // ends. No watch by default: the parent watches, and libtorch's store client asks DNS for the name of every
  // peer.
  Mesh mesh(const MeshDegrees& degrees, const CommOptions& options = {.watch = false});
  // Hands a tensor to the parent (and to later cases).
  void put(const std::string& name, const at::Tensor& tensor) const;
  at::Tensor get(int of_rank, const std::string& name) const;

  std::vector<Mesh> meshes;     // left together when the case passed
  RankEnvironment environment;  // store and attempt of the current case
  std::string folder;
};

struct RankOutcome {
  bool answered = false;  // the case returned; `message` holds its failures, empty = passed
  std::string message;
  int exit_code = -1;  // when the process ended instead
  int signal = 0;
  double seconds = 0;  // from the start of the case until the answer or the end
  std::string errors;  // what the rank wrote to stderr, when the process ended
};

class RankPool {
 public:
  using Case = void (*)(Rank&);

  explicit RankPool(int world);
  ~RankPool();

  // Runs `body` on every rank; each failed EXPECT, exception or death of a rank is a failure of the calling
  // test.
  void run(Case body, const std::string& argument = "", double timeout_seconds = 120);
  // The same, but hands back what became of each rank instead of failing; the pool is renewed if any rank
  // ended.
  std::vector<RankOutcome> run_raw(Case body, const std::string& argument, double timeout_seconds,
                                   int ignored = -1);
  at::Tensor get(int rank, const std::string& name) const;

 private:
  struct Child {
    pid_t pid = -1;
    int to = -1, from = -1;
  };
  void start();
  void end();
  void serve(int index, int command, int result);

  int world_;
  std::string folder_;
  std::vector<Child> children_;
  int cases_ = 0;
  int attempt_ = 0;
};

// The pool of `world` ranks of this test program, made on first use.
RankPool& ranks(int world);

}  // namespace mindspeed::test
