#include "engine/comm/collectives.h"

#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace mindspeed {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

struct GroupHolder : torch::CustomClassHolder {
  explicit GroupHolder(std::shared_ptr<Group> group) : group(std::move(group)) {}
  std::shared_ptr<Group> group;
};

void remember(AutogradContext* ctx, const std::shared_ptr<Group>& group) {
  ctx->saved_data["group"] = c10::IValue::make_capsule(c10::make_intrusive<GroupHolder>(group));
}

Group& recall(AutogradContext* ctx) {
  return *static_cast<GroupHolder*>(ctx->saved_data["group"].toCapsule().get())->group;
}

at::Tensor summed(const at::Tensor& x, Group& group) {
  at::Tensor sum = x.clone(at::MemoryFormat::Contiguous);
  group.all_reduce(sum);
  return sum;
}

// The group's collectives work along dimension 0; `dim` is moved there and back.
at::Tensor gathered(const at::Tensor& x, int64_t dim, Group& group) {
  return group.all_gather(x.movedim(dim, 0)).movedim(0, dim).contiguous();
}

at::Tensor reduce_scattered(const at::Tensor& x, int64_t dim, Group& group) {
  return group.reduce_scatter(x.movedim(dim, 0)).movedim(0, dim).contiguous();
}

struct CopyToGroup : Function<CopyToGroup> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const std::shared_ptr<Group>& group) {
    remember(ctx, group);
    return x.view_as(x);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad) {
    return {summed(grad[0], recall(ctx)), at::Tensor()};
  }
};

struct ReduceFromGroup : Function<ReduceFromGroup> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& x, const std::shared_ptr<Group>& group) {
    return summed(x, *group);
  }
  static variable_list backward(AutogradContext*, variable_list grad) { return {grad[0], at::Tensor()}; }
};

struct GatherToGroup : Function<GatherToGroup> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, int64_t dim,
                            const std::shared_ptr<Group>& group) {
    remember(ctx, group);
    ctx->saved_data["dim"] = dim;
    return gathered(x, dim, *group);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad) {
    return {reduce_scattered(grad[0], ctx->saved_data["dim"].toInt(), recall(ctx)), at::Tensor(),
            at::Tensor()};
  }
};

struct ScatterReduceFromGroup : Function<ScatterReduceFromGroup> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, int64_t dim,
                            const std::shared_ptr<Group>& group) {
    remember(ctx, group);
    ctx->saved_data["dim"] = dim;
    return reduce_scattered(x, dim, *group);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad) {
    return {gathered(grad[0], ctx->saved_data["dim"].toInt(), recall(ctx)), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor copy_to_group(const at::Tensor& x, const std::shared_ptr<Group>& group) {
  return group->size() == 1 ? x : CopyToGroup::apply(x, group);
}

at::Tensor reduce_from_group(const at::Tensor& x, const std::shared_ptr<Group>& group) {
  return group->size() == 1 ? x : ReduceFromGroup::apply(x, group);
}

at::Tensor gather_to_group(const at::Tensor& x, int64_t dim, const std::shared_ptr<Group>& group) {
  return group->size() == 1 ? x : GatherToGroup::apply(x, dim, group);
}

at::Tensor scatter_reduce_from_group(const at::Tensor& x, int64_t dim, const std::shared_ptr<Group>& group) {
  return group->size() == 1 ? x : ScatterReduceFromGroup::apply(x, dim, group);
}

}  // namespace mindspeed
