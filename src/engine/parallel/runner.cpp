#include <c10/core/GradMode.h>

#include "engine/parallel/runner.h"

#include <torch/csrc/autograd/autograd.h>

namespace mindspeed {
namespace {

using torch::autograd::variable_list;

// The input of a block as a fresh leaf, so that no graph crosses the block's border.
Flow leaf(const Flow& in) {
  if (!in.hidden.defined()) return in;
  return {in.hidden.detach().requires_grad_(at::isFloatingType(in.hidden.scalar_type()))};
}

// Gradients of `out` with respect to the block's input and parameters; parameters' go to main_grad.
Flow run_backward(Block& block, const Saved& saved, const Flow& grad) {
  variable_list inputs;
  const bool has_input = saved.in.hidden.defined();
  if (has_input) inputs.push_back(saved.in.hidden);
  for (const Parameter* p : block.parameters()) inputs.push_back(p->value);
  const variable_list grads =
      torch::autograd::grad({saved.out.hidden}, inputs, {grad.hidden}, /*retain_graph=*/false,
                            /*create_graph=*/false, /*allow_unused=*/true);
  size_t next = has_input ? 1 : 0;
  for (Parameter* p : block.parameters()) {
    const at::Tensor& g = grads[next++];
    if (g.defined()) p->main_grad.add_(g);
  }
  return {has_input ? grads[0] : at::Tensor()};
}

class PlainRunner : public BlockRunner {
 public:
  Flow forward(Block& block, const Flow& in, const StepContext& context, Saved& saved) override {
    const c10::AutoGradMode grad_mode(true);
    saved.in = leaf(in);
    saved.out = block.forward(saved.in, context);
    return {saved.out.hidden.detach()};
  }

  Flow backward(Block& block, const Flow& grad, const StepContext&, Saved& saved) override {
    Flow out = run_backward(block, saved, grad);
    saved = {};
    return out;
  }
};

class RecomputeRunner : public BlockRunner {
 public:
  Flow forward(Block& block, const Flow& in, const StepContext& context, Saved& saved) override {
    const c10::AutoGradMode grad_mode(false);
    saved.in = leaf(in);
    return block.forward(saved.in, context);
  }

  Flow backward(Block& block, const Flow& grad, const StepContext& context, Saved& saved) override {
    {
      const c10::AutoGradMode grad_mode(true);
      saved.out = block.forward(saved.in, context);
    }
    Flow out = run_backward(block, saved, grad);
    saved = {};
    return out;
  }
};

}  // namespace

std::unique_ptr<BlockRunner> plain_runner() { return std::make_unique<PlainRunner>(); }
std::unique_ptr<BlockRunner> recompute_runner() { return std::make_unique<RecomputeRunner>(); }

}  // namespace mindspeed
