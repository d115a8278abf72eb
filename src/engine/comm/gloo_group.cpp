#include "engine/comm/gloo_group.h"

#include <fmt/ranges.h>

#include <optional>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <utility>

#include "engine/comm/failure.h"

namespace mindspeed {
namespace {

using WorkPtr = c10::intrusive_ptr<c10d::Work>;

// "all_reduce over tp (ranks 0, 1)": what a failure message names.
std::string describe(const char* op, const Group& group) {
  return fmt::format("{} over {} (ranks {})", op, group.name(), fmt::join(group.ranks(), ", "));
}

// Runs `call`; turns what the backend throws into a CommError that names the operation and the group.
template <class Call>
auto guarded(const std::string& what, Call&& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    std::string reason = error.what();  // "[/path/in/gloo.cc:538] Read error ...\nException raised from ..."
    reason = reason.substr(0, reason.find('\n'));
    if (reason.starts_with("[/") && reason.find("] ") != std::string::npos)
      reason.erase(0, reason.find("] ") + 2);
    throw CommError(fmt::format("{} failed: {}; a peer left, stopped or is unreachable", what, reason));
  }
}

class GlooPending : public Pending {
 public:
  // When `staging` is set, its content is copied (and rounded) into `target` once the work is done.
  GlooPending(WorkPtr work, std::string what, at::Tensor target, std::optional<at::Tensor> staging)
      : work_(std::move(work)),
        what_(std::move(what)),
        target_(std::move(target)),
        staging_(std::move(staging)) {}

  void wait() override {
    if (!work_) return;
    guarded(what_, [&] { work_->wait(); });
    work_.reset();
    if (staging_) target_.copy_(*staging_);
    staging_.reset();
  }

 private:
  WorkPtr work_;  // null: nothing to wait for
  std::string what_;
  at::Tensor target_;
  std::optional<at::Tensor> staging_;
};

c10d::ReduceOp to_c10d(ReduceOp op) {
  switch (op) {
    case ReduceOp::max:
      return c10d::ReduceOp::MAX;
    case ReduceOp::min:
      return c10d::ReduceOp::MIN;
    case ReduceOp::sum:
      break;
  }
  return c10d::ReduceOp::SUM;
}

bool is_half(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kBFloat16 || tensor.scalar_type() == at::kHalf;
}

class GlooGroup : public Group {
 public:
  GlooGroup(std::string name, std::vector<int> ranks, int rank, c10::intrusive_ptr<c10d::Backend> backend)
      : name_(std::move(name)), ranks_(std::move(ranks)), rank_(rank), backend_(std::move(backend)) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks() const override { return ranks_; }
  const std::string& name() const override { return name_; }

  void all_reduce(at::Tensor& tensor, ReduceOp op) override { all_reduce_async(tensor, op)->wait(); }
  std::unique_ptr<Pending> all_reduce_async(at::Tensor& tensor, ReduceOp op) override;
  at::Tensor all_gather(const at::Tensor& in) override;
  at::Tensor reduce_scatter(const at::Tensor& in) override;
  void broadcast(at::Tensor& tensor, int root) override;
  std::unique_ptr<Pending> send(const at::Tensor& tensor, int peer, int tag) override;
  std::unique_ptr<Pending> receive(at::Tensor& tensor, int peer, int tag) override;
  void barrier() override;

 private:
  std::unique_ptr<Pending> nothing() const {
    return std::make_unique<GlooPending>(WorkPtr(), "", at::Tensor(), std::nullopt);
  }
  std::string name_;
  std::vector<int> ranks_;
  int rank_;
  c10::intrusive_ptr<c10d::Backend> backend_;
};

std::unique_ptr<Pending> GlooGroup::all_reduce_async(at::Tensor& tensor, ReduceOp op) {
  if (tensor.numel() == 0) return nothing();
  // Gloo reduces in the element type: half types go through fp32 so that the sum is rounded once.
  at::Tensor target = tensor.detach();
  const bool staged = is_half(target) || !target.is_contiguous();
  at::Tensor buffer = is_half(target) ? target.to(at::kFloat).contiguous() : target.contiguous();
  c10d::AllreduceOptions options;
  options.reduceOp = to_c10d(op);
  std::vector<at::Tensor> tensors{buffer};
  const std::string what = describe("all_reduce", *this);
  WorkPtr work = guarded(what, [&] { return backend_->allreduce(tensors, options); });
  return std::make_unique<GlooPending>(std::move(work), what, target,
                                       staged ? std::optional<at::Tensor>(buffer) : std::nullopt);
}

at::Tensor GlooGroup::all_gather(const at::Tensor& in) {
  at::Tensor source = in.detach().contiguous();  // [n, ...]
  std::vector<int64_t> shape = source.sizes().vec();
  if (shape.empty()) throw std::logic_error("all_gather needs at least one dimension");
  shape[0] *= size();
  at::Tensor out = at::empty(shape, source.options());  // [size * n, ...]
  if (out.numel() == 0) return out;
  const std::string what = describe("all_gather", *this);
  guarded(what, [&] { backend_->_allgather_base(out, source)->wait(); });
  return out;
}

// Gloo's own reduce_scatter takes 2-3 x the time of its all_reduce at 64 MB and 2 ranks, so the sum is formed
// everywhere and sliced.
at::Tensor GlooGroup::reduce_scatter(const at::Tensor& in) {
  if (in.dim() == 0 || in.size(0) % size() != 0)
    throw std::logic_error(fmt::format("reduce_scatter: dimension 0 of {} elements over {} ranks",
                                       in.dim() == 0 ? 0 : in.size(0), size()));
  const int64_t rows = in.size(0) / size();
  at::Tensor sum =
      in.detach().to(is_half(in) ? at::kFloat : in.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
  all_reduce(sum, ReduceOp::sum);
  return sum.narrow(0, rank_ * rows, rows)
      .to(in.scalar_type())
      .clone(at::MemoryFormat::Contiguous);  // [n, ...]
}

void GlooGroup::broadcast(at::Tensor& tensor, int root) {
  if (tensor.numel() == 0) return;
  at::Tensor target = tensor.detach();
  std::vector<at::Tensor> tensors{target.contiguous()};
  c10d::BroadcastOptions options;
  options.rootRank = root;
  guarded(describe("broadcast", *this), [&] { backend_->broadcast(tensors, options)->wait(); });
  if (!target.is_contiguous()) target.copy_(tensors[0]);
}

std::unique_ptr<Pending> GlooGroup::send(const at::Tensor& tensor, int peer, int tag) {
  if (tensor.numel() == 0) return nothing();
  std::vector<at::Tensor> tensors{tensor.detach().contiguous()};
  const std::string what =
      fmt::format("send to rank {} by {}", ranks_.at(peer), describe("point-to-point", *this));
  WorkPtr work = guarded(what, [&] { return backend_->send(tensors, peer, tag); });
  return std::make_unique<GlooPending>(std::move(work), what, tensors[0], std::nullopt);
}

std::unique_ptr<Pending> GlooGroup::receive(at::Tensor& tensor, int peer, int tag) {
  if (tensor.numel() == 0) return nothing();
  at::Tensor target = tensor.detach();
  if (!target.is_contiguous()) throw std::logic_error("receive needs a contiguous tensor");
  std::vector<at::Tensor> tensors{target};
  const std::string what =
      fmt::format("receive from rank {} by {}", ranks_.at(peer), describe("point-to-point", *this));
  WorkPtr work = guarded(what, [&] { return backend_->recv(tensors, peer, tag); });
  return std::make_unique<GlooPending>(std::move(work), what, target, std::nullopt);
}

void GlooGroup::barrier() {
  at::Tensor token = at::zeros({1}, at::kInt);
  all_reduce(token,
             ReduceOp::sum);  // lighter than Gloo's barrier, which waits for every pending operation as well
}

}  // namespace

std::shared_ptr<Group> gloo_group(std::string name, std::vector<int> ranks, int group_rank,
                                  c10::intrusive_ptr<c10d::Backend> backend) {
  return std::make_shared<GlooGroup>(std::move(name), std::move(ranks), group_rank, std::move(backend));
}

}  // namespace mindspeed
