// The three kinds of blocks: embedding, layer (built from its LayerSpec), head.
#include "engine/comm/collectives.h"
#include "engine/kernels/cross_entropy.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/linear.h"
#include "engine/kernels/random.h"
#include "engine/nn/block.h"
#include "engine/nn/layers.h"
#include "engine/nn/op.h"

namespace mindspeed {
namespace {

class NamedBlock : public Block {
 public:
  explicit NamedBlock(std::string name) : name_(std::move(name)) {}
  const std::vector<Parameter*>& parameters() const override { return used_; }
  const std::string& name() const override { return name_; }

 protected:
  BuildContext context(const Plan& plan, const Mesh& mesh, ParameterSet& parameters) {
    return {plan, mesh, parameters, used_};
  }

 private:
  std::string name_;
  std::vector<Parameter*> used_;
};

// First token that this rank holds of hidden states [B, T_local, H]: under sequence parallelism each tp rank
// has a part.
int64_t first_token(const Mesh& mesh, const at::Tensor& hidden) {
  return mesh.degrees.sequence_parallel ? mesh.tp_rank * hidden.size(1) : 0;
}

at::Tensor hidden_dropout(const at::Tensor& x, double p, const StepContext& context, const Mesh& mesh,
                          int64_t layer, int64_t site) {
  if (!context.training || p == 0.0) return x;
  return kernels::dropout(x, p, context.sample_ids, {context.seed, layer, site, first_token(mesh, x)});
}

class EmbeddingBlock : public NamedBlock {
 public:
  EmbeddingBlock(const Plan& plan, const Mesh& mesh, ParameterSet& parameters)
      : NamedBlock("embedding"),
        spec_(plan.model.embedding),
        dropout_(plan.model.hidden_dropout),
        mesh_(mesh) {
    BuildContext build = context(plan, mesh, parameters);
    weight_ = &build.bind("embedding.weight");
    if (spec_.learned_positions > 0) positions_ = &build.bind("embedding.positions");
  }

  Flow forward(const Flow&, const StepContext& c) override {
    const int64_t begin = mesh_.tp_rank * weight_->value.size(0);
    at::Tensor h = kernels::embedding(c.tokens, weight_->value, weight_->main_grad, begin);  // [B, T, H]
    h = mesh_.degrees.sequence_parallel ? scatter_reduce_from_group(h, 1, mesh_.tp)
                                        : reduce_from_group(h, mesh_.tp);
    if (spec_.scale != 1.0) h = h * spec_.scale;
    if (positions_ != nullptr) {
      const at::Tensor at = c.positions.narrow(1, first_token(mesh_, h), h.size(1));
      h = h + kernels::embedding(at, positions_->value, positions_->main_grad);
    }
    return {hidden_dropout(h, dropout_, c, mesh_, kEmbeddingLayer + 1, 0)};
  }

 private:
  EmbeddingSpec spec_;
  double dropout_;
  const Mesh mesh_;
  Parameter* weight_ = nullptr;
  Parameter* positions_ = nullptr;
};

class LayerBlock : public NamedBlock {
 public:
  LayerBlock(const Plan& plan, const Mesh& mesh, ParameterSet& parameters, int64_t layer, int64_t slot)
      : NamedBlock("layers." + std::to_string(layer)),
        dropout_(plan.model.hidden_dropout),
        layer_(layer),
        mesh_(mesh) {
    BuildContext build = context(plan, mesh, parameters);
    const LayerSpec& spec = plan.model.layers[static_cast<size_t>(layer)];
    residual_ = spec.residual;
    for (const BranchSpec& branch : spec.branches) {
      const std::string prefix = name() + "." + branch.name;
      Branch b{optional_norm(build, prefix + ".norm", branch.pre_norm), nullptr, std::nullopt, branch.scale};
      if (const auto* a = std::get_if<AttentionSpec>(&branch.op))
        b.op = make_attention(build, prefix, *a, layer, slot);
      if (const auto* d = std::get_if<DenseSpec>(&branch.op)) b.op = make_dense(build, prefix, *d);
      b.post_norm = optional_norm(build, prefix + ".post_norm", branch.post_norm);
      branches_.push_back(std::move(b));
    }
  }

  Flow forward(const Flow& in, const StepContext& c) override {
    at::Tensor h = in.hidden;  // [B, T, H]
    for (size_t i = 0; i < branches_.size(); ++i) {
      const Branch& branch = branches_[i];
      const at::Tensor& source = residual_ == Residual::parallel ? in.hidden : h;
      at::Tensor y = branch.op->forward(branch.pre_norm ? branch.pre_norm->forward(source) : source, c);
      if (branch.post_norm) y = branch.post_norm->forward(y);
      y = hidden_dropout(y, dropout_, c, mesh_, layer_ + 1, static_cast<int64_t>(1 + i));
      h = at::add(h, y, branch.scale);
    }
    return {h};
  }

 private:
  struct Branch {
    std::optional<Norm> pre_norm;
    std::unique_ptr<Op> op;
    std::optional<Norm> post_norm;
    double scale;
  };
  std::vector<Branch> branches_;
  Residual residual_ = Residual::sum;
  double dropout_;
  int64_t layer_;
  const Mesh mesh_;
};

class HeadBlock : public NamedBlock {
 public:
  HeadBlock(const Plan& plan, const Mesh& mesh, ParameterSet& parameters)
      : NamedBlock("head"), spec_(plan.model.head), vocab_(plan.model.vocab), mesh_(mesh) {
    BuildContext build = context(plan, mesh, parameters);
    norm_ = optional_norm(build, "head.norm", spec_.norm);
    weight_ = &build.bind("head.weight");
    if (spec_.bias) throw std::logic_error("a head bias is not implemented");
  }

  Flow forward(const Flow& in, const StepContext& c) override {
    at::Tensor h = norm_ ? norm_->forward(in.hidden) : in.hidden;
    h = mesh_.degrees.sequence_parallel ? gather_to_group(h, 1, mesh_.tp)
                                        : copy_to_group(h, mesh_.tp);  // [B, T, H]
    const kernels::HeadWeight head = head_weight();
    const auto rows = [](const at::Tensor& t) { return t.reshape({-1}); };
    switch (c.head) {
      case HeadMode::loss:
        return {kernels::linear_cross_entropy(h.flatten(0, 1), head, rows(c.labels), rows(c.row_weights),
                                              c.loss_scale)};
      case HeadMode::token_loss:
        return {kernels::token_nll(h.flatten(0, 1), head, rows(c.labels)).view_as(c.labels)};
      case HeadMode::logits:
        return {logits(h, head)};
      case HeadMode::last_logits: {
        const at::Tensor at = c.last_index.view({-1, 1, 1}).expand({h.size(0), 1, h.size(2)});
        return {logits(h.gather(1, at), head).squeeze(1)};
      }
    }
    throw std::logic_error("unknown head mode");
  }

 private:
  kernels::HeadWeight head_weight() const {
    const int64_t local = weight_->value.size(0), begin = mesh_.tp_rank * local;
    kernels::HeadWeight head{
        weight_->value, weight_->main_grad, begin, std::clamp<int64_t>(vocab_ - begin, 0, local),
        spec_.scale,    spec_.soft_cap,     {}};
    if (mesh_.tp->size() > 1) {
      head.reduce.maximum = [tp = mesh_.tp](at::Tensor& t) { tp->all_reduce(t, ReduceOp::max); };
      head.reduce.sum = [tp = mesh_.tp](at::Tensor& t) { tp->all_reduce(t, ReduceOp::sum); };
    }
    return head;
  }

  // [B, T, V] fp32, gathered over tp, padding stripped.
  at::Tensor logits(const at::Tensor& h, const kernels::HeadWeight& head) const {
    at::Tensor y = kernels::linear(h, weight_->value, weight_->main_grad).to(at::kFloat);
    if (head.scale != 1.0) y = y * head.scale;
    if (head.soft_cap > 0.0) y = (y / head.soft_cap).tanh() * head.soft_cap;
    if (mesh_.tp->size() > 1) y = gather_to_group(y, 2, mesh_.tp);
    return y.narrow(2, 0, vocab_);
  }

  HeadSpec spec_;
  int64_t vocab_;
  const Mesh mesh_;
  std::optional<Norm> norm_;
  Parameter* weight_ = nullptr;
};

}  // namespace

std::vector<std::unique_ptr<Block>> build_blocks(const Plan& plan, const StageSlice& slice, const Mesh& mesh,
                                                 ParameterSet& parameters) {
  std::vector<std::unique_ptr<Block>> blocks;
  if (slice.embedding) blocks.push_back(std::make_unique<EmbeddingBlock>(plan, mesh, parameters));
  for (int i = 0; i < slice.layers; ++i)
    blocks.push_back(std::make_unique<LayerBlock>(plan, mesh, parameters, slice.first_layer + i, i));
  if (slice.head) blocks.push_back(std::make_unique<HeadBlock>(plan, mesh, parameters));
  return blocks;
}

}  // namespace mindspeed
