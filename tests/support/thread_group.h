// Ranks as threads of one process, for tests of collective code that only needs all_reduce and barrier.
#pragma once

#include <barrier>
#include <functional>
#include <thread>

#include "tests/support/lone_group.h"

namespace mindspeed::test {

struct ThreadHub {
  explicit ThreadHub(int size) : size(size), barrier(size), values(static_cast<size_t>(size)) {}
  int size;
  std::barrier<> barrier;
  std::vector<at::Tensor> values;
};

class ThreadGroup final : public LoneGroup {
 public:
  ThreadGroup(std::shared_ptr<ThreadHub> hub, int rank) : hub_(std::move(hub)), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return hub_->size; }
  void all_reduce(at::Tensor& tensor, ReduceOp op) override {
    hub_->values[static_cast<size_t>(rank_)] = tensor.clone();
    hub_->barrier.arrive_and_wait();
    at::Tensor result = hub_->values[0].clone();
    for (size_t r = 1; r < hub_->values.size(); ++r)
      result = op == ReduceOp::sum ? result + hub_->values[r] : at::maximum(result, hub_->values[r]);
    hub_->barrier.arrive_and_wait();
    tensor.copy_(result);
  }
  void barrier() override { hub_->barrier.arrive_and_wait(); }

 private:
  std::shared_ptr<ThreadHub> hub_;
  int rank_;
};

// Runs body(mesh) on tp * dp threads. Only the world group joins them; tp and dp ranks are set.
inline void run_ranks(int tp, int dp, const std::function<void(const Mesh&)>& body) {
  auto hub = std::make_shared<ThreadHub>(tp * dp);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < tp * dp; ++rank)
    threads.emplace_back([&, rank] {
      Mesh mesh = lone_mesh();
      mesh.degrees.tp = tp;
      mesh.degrees.dp = dp;
      mesh.rank = rank;
      mesh.tp_rank = rank % tp;
      mesh.dp_rank = rank / tp;
      mesh.world = std::make_shared<ThreadGroup>(hub, rank);
      body(mesh);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace mindspeed::test
