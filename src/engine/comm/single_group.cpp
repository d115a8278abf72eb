#include <utility>

#include "engine/comm/group.h"
#include "engine/comm/mesh.h"

namespace mindspeed {
namespace {

class Done : public Pending {
 public:
  void wait() override {}
};

class SingleGroup : public Group {
 public:
  SingleGroup(std::string name, int global_rank) : name_(std::move(name)), ranks_{global_rank} {}

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
  std::unique_ptr<Pending> send(const at::Tensor&, int, int) override { throw no_peer(); }
  std::unique_ptr<Pending> receive(at::Tensor&, int, int) override { throw no_peer(); }
  void barrier() override {}

 private:
  std::logic_error no_peer() const {
    return std::logic_error("group " + name_ + " has one rank: no peer to talk to");
  }
  std::string name_;
  std::vector<int> ranks_;
};

}  // namespace

std::shared_ptr<Group> single_group(std::string name, int global_rank) {
  return std::make_shared<SingleGroup>(std::move(name), global_rank);
}

Mesh single_mesh() {
  Mesh mesh;
  mesh.world = single_group("world");
  mesh.tp = single_group("tp");
  mesh.cp = single_group("cp");
  mesh.dp = single_group("dp");
  mesh.pp = single_group("pp");
  mesh.model = single_group("model");
  mesh.embedding = single_group("embedding");
  return mesh;
}

}  // namespace mindspeed
