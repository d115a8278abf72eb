// Multi-head attention with grouped KV heads: one fused projection, optional norms of q and k per head,
// rotary positions, causal softmax attention (windowed, document-wise, or over a cache), output projection.
#include "engine/kernels/attention.h"

#include "engine/kernels/random.h"
#include "engine/kernels/rope.h"
#include "engine/nn/cache.h"
#include "engine/nn/layers.h"
#include "engine/nn/op.h"

namespace mindspeed {
namespace {

constexpr int64_t kAttentionDropoutSite = 32;

class Attention : public Op {
 public:
  Attention(BuildContext& build, const std::string& prefix, const AttentionSpec& spec, int64_t layer,
            int64_t slot)
      : spec_(spec),
        layer_(layer),
        slot_(slot),
        heads_(spec.heads / build.mesh.degrees.tp),
        groups_(spec.kv_heads / build.mesh.degrees.tp),
        head0_(heads_ * build.mesh.tp_rank),
        qkv_(build, prefix + ".qkv", Cut::column),
        q_norm_(optional_norm(build, prefix + ".q_norm", spec.qk_norm)),
        k_norm_(optional_norm(build, prefix + ".k_norm", spec.qk_norm)),
        out_(build, prefix + ".out", Cut::row),
        dropout_(spec.dropout) {
    if (spec_.rope && spec_.rope->scaling != RopeScaling::dynamic)
      table_ = kernels::rope_table(*spec_.rope, build.plan.model.max_position);
  }

  at::Tensor forward(const at::Tensor& x, const StepContext& context) const override {
    const at::Tensor qkv = qkv_.forward(x);  // [B, T, (h + 2g) d]
    const int64_t batch = qkv.size(0), tokens = qkv.size(1), d = spec_.head_dim;
    const auto part = [&](int64_t first, int64_t count) {  // [B, T, count, d], a view
      return qkv.narrow(2, first * d, count * d).view({batch, tokens, count, d});
    };
    const at::Tensor q = to_heads(part(0, heads_), q_norm_, context);                         // [B, h, T, d]
    const at::Tensor k = to_heads(part(heads_, groups_), k_norm_, context);                   // [B, g, T, d]
    const at::Tensor v = part(heads_ + groups_, groups_).permute({0, 2, 1, 3}).contiguous();  // [B, g, T, d]
    return out_.forward(mix(q, k, v, context).view({batch, tokens, heads_ * d}));
  }

 private:
  at::Tensor to_heads(at::Tensor x, const std::optional<Norm>& norm, const StepContext& context) const {
    if (norm) x = norm->forward(x);
    if (!spec_.rope) return x.permute({0, 2, 1, 3}).contiguous();
    if (spec_.rope->scaling != RopeScaling::dynamic)
      return kernels::rope_to_heads(x, table_, context.positions);
    const int64_t length = context.positions.max().item<int64_t>() + 1;
    return kernels::rope_to_heads(x, kernels::rope_table(*spec_.rope, length), context.positions);
  }

  at::Tensor mix(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                 const StepContext& context) const {
    const kernels::AttentionOptions options{spec_.scale, spec_.window, spec_.soft_cap};
    if (context.cache != nullptr) {
      const auto [keys, values] = context.cache->update(slot_, k, v, context.positions);
      return kernels::cached_attention(q, keys, values, context.positions, options);
    }
    std::optional<at::Tensor> starts, keep;
    if (context.doc_starts.defined()) starts = context.doc_starts;
    if (context.training && dropout_ > 0.0)
      keep = kernels::attention_dropout_mask(dropout_, context.sample_ids,
                                             {context.seed, layer_, kAttentionDropoutSite, 0}, head0_, heads_,
                                             q.size(2), k.size(2));
    return kernels::causal_attention(q, k, v, options, starts, keep);
  }

  AttentionSpec spec_;
  int64_t layer_, slot_, heads_, groups_, head0_;
  Linear qkv_;
  std::optional<Norm> q_norm_, k_norm_;
  Linear out_;
  double dropout_;
  kernels::RopeTable table_;
};

}  // namespace

std::unique_ptr<Op> make_attention(BuildContext& build, const std::string& prefix, const AttentionSpec& spec,
                                   int64_t layer, int64_t slot) {
  return std::make_unique<Attention>(build, prefix, spec, layer, slot);
}

}  // namespace mindspeed
