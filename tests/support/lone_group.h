// A mesh of one rank for tests of code that takes a Mesh but needs no communication.
#pragma once

#include "engine/comm/mesh.h"

namespace mindspeed::test {

class LoneGroup : public Group {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  const std::vector<int>& ranks() const override { return ranks_; }
  const std::string& name() const override { return name_; }
  void all_reduce(at::Tensor&, ReduceOp) override {}
  std::unique_ptr<Pending> all_reduce_async(at::Tensor&, ReduceOp) override {
    return std::make_unique<Done>();
  }
  at::Tensor all_gather(const at::Tensor& in) override { return in; }
  at::Tensor reduce_scatter(const at::Tensor& in) override { return in; }
  void broadcast(at::Tensor&, int) override {}
  std::unique_ptr<Pending> send(const at::Tensor&, int, int) override { throw std::logic_error("no peer"); }
  std::unique_ptr<Pending> receive(at::Tensor&, int, int) override { throw std::logic_error("no peer"); }
  void barrier() override {}

 private:
  struct Done final : Pending {
    void wait() override {}
  };
  std::vector<int> ranks_ = {0};
  std::string name_ = "lone";
};

inline Mesh lone_mesh() {
  Mesh mesh;
  mesh.world = mesh.tp = mesh.cp = mesh.dp = mesh.pp = mesh.model = mesh.embedding =
      std::make_shared<LoneGroup>();
  return mesh;
}

}  // namespace mindspeed::test
