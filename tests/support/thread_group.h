// Ranks as threads of one process, for tests of collective code that only needs all_reduce and barrier.
#pragma once

#include <barrier>
#include <functional>
#include <thread>

#include "engine/comm/mesh.h"

namespace mindspeed::test {

struct ThreadHub {
  explicit ThreadHub(int size) : size(size), barrier(size), values(static_cast<size_t>(size)) {}
  int size;
  std::barrier<> barrier;
  std::vector<at::Tensor> values;
};

class ThreadGroup final : public Group {
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

  const std::vector<int>& ranks() const override { throw unsupported(); }
  const std::string& name() const override { return name_; }
  std::unique_ptr<Pending> all_reduce_async(at::Tensor&, ReduceOp) override { throw unsupported(); }
  at::Tensor all_gather(const at::Tensor&) override { throw unsupported(); }
  at::Tensor reduce_scatter(const at::Tensor&) override { throw unsupported(); }
  void broadcast(at::Tensor&, int) override { throw unsupported(); }
  std::unique_ptr<Pending> send(const at::Tensor&, int, int) override { throw unsupported(); }
  std::unique_ptr<Pending> receive(at::Tensor&, int, int) override { throw unsupported(); }

 private:
  static std::logic_error unsupported() { return std::logic_error("threads only all_reduce and barrier"); }
  std::shared_ptr<ThreadHub> hub_;
  int rank_;
  std::string name_ = "threads";
};

// Runs body(mesh) on tp * dp threads. Only the world group joins them; tp and dp ranks are set.
inline void run_ranks(int tp, int dp, const std::function<void(const Mesh&)>& body) {
  auto hub = std::make_shared<ThreadHub>(tp * dp);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < tp * dp; ++rank)
    threads.emplace_back([&, rank] {
      Mesh mesh = single_mesh();
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
