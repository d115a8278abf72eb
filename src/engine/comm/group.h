// Process groups. Only comm/ knows the backend (Gloo on CPU; NCCL and HCCL come through plug-ins). A group of size 1
// returns its input from every collective, so one model source serves every degree.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

namespace mindspeed {

enum class ReduceOp { sum, max, min };

// A pending transfer. wait() returns when the tensor may be used; it throws Error naming the peer on failure.
class Pending {
 public:
  virtual ~Pending() = default;
  virtual void wait() = 0;
};

class Group {
 public:
  virtual ~Group() = default;
  virtual int rank() const = 0;  // of this process, inside the group
  virtual int size() const = 0;
  virtual const std::vector<int>& ranks() const = 0;  // global ranks, ordered by group rank
  virtual const std::string& name() const = 0;        // "tp", "dp", ... for messages

  // In place. fp32, fp64, int32, int64; bf16 is summed in fp32 and rounded once.
  virtual void all_reduce(at::Tensor& tensor, ReduceOp op = ReduceOp::sum) = 0;
  virtual std::unique_ptr<Pending> all_reduce_async(at::Tensor& tensor, ReduceOp op = ReduceOp::sum) = 0;
  // in [n, ...] of every rank -> [size * n, ...], ordered by group rank.
  virtual at::Tensor all_gather(const at::Tensor& in) = 0;
  // in [size * n, ...] -> [n, ...]: the sum over ranks of slice `rank`.
  virtual at::Tensor reduce_scatter(const at::Tensor& in) = 0;
  virtual void broadcast(at::Tensor& tensor, int root) = 0;
  // Peers are group ranks. Shapes and dtypes must agree on both sides.
  virtual std::unique_ptr<Pending> send(const at::Tensor& tensor, int peer, int tag = 0) = 0;
  virtual std::unique_ptr<Pending> receive(at::Tensor& tensor, int peer, int tag = 0) = 0;
  virtual void barrier() = 0;
};

// A group of this process alone.
std::shared_ptr<Group> single_group(std::string name, int global_rank = 0);

}  // namespace mindspeed
