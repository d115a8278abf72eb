// Layers of families that are not built yet: mixture of experts, latent and linear attention. Known, so that
// a script gets the reason rather than "unknown flag".
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kMoe = "mixture-of-experts models are not built yet";
constexpr std::string_view kDense = "applies to mixture-of-experts models only; this model is dense";
constexpr std::string_view kLatent = "latent attention (DeepSeek family) is not built yet";
constexpr std::string_view kLinear = "linear attention and state-space layers are not built yet";
constexpr std::string_view kMtp = "multi-token prediction is not built yet";

constexpr Field kExperts[] = {
    integer("num-experts", "", "experts per layer").refused(kMoe).alias("num-moe-experts"),
    integer("moe-router-topk", "2", "experts per token").equivalent(kDense),
    text("moe-router-load-balancing-type", "aux_loss", "load balancing").equivalent(kDense),
    flag("moe-grouped-gemm", "grouped matrices").equivalent(kDense),
    flag("moe-permutation-async-comm", "dispatcher").equivalent(kDense),
    text("moe-token-dispatcher-type", "allgather", "dispatcher").equivalent(kDense),
    integer("moe-layer-freq", "1", "which layers have experts").equivalent(kDense),
    integer("first-k-dense-replace", "", "dense layers at the start").equivalent(kDense),
    integer("moe-ffn-hidden-size", "", "inner width of experts")
        .equivalent(kDense)
        .alias("moe-intermediate-size"),
    real("moe-aux-loss-coeff", "0", "balance loss").equivalent(kDense),
    real("moe-device-level-aux-loss-coeff", "0", "balance loss").equivalent(kDense),
    real("moe-comm-aux-loss-coeff", "0", "balance loss").equivalent(kDense),
    real("moe-z-loss-coeff", "", "router loss").equivalent(kDense),
    flag("norm-topk-prob", "normalised router weights").equivalent(kDense),
    integer("moe-router-num-groups", "", "router groups")
        .equivalent(kDense)
        .alias("n-group|moe-router-num-group"),
    integer("moe-router-group-topk", "", "router groups").at_least(1).equivalent(kDense).alias("topk-group"),
    real("moe-router-topk-scaling-factor", "", "router factor")
        .equivalent(kDense)
        .alias("routed-scaling-factor"),
    text("moe-router-score-function", "softmax", "router")
        .one_of("softmax|sigmoid|sqrtsoftplus")
        .equivalent(kDense),
    flag("moe-router-enable-expert-bias", "router bias").equivalent(kDense),
    real("moe-router-bias-update-rate", "1e-3", "router bias").equivalent(kDense),
    flag("moe-router-pre-softmax", "router").equivalent(kDense),
    text("moe-router-dtype", "", "router precision").equivalent(kDense),
    flag("router-gating-in-fp32", "router precision").equivalent(kDense),
    flag("topk-softmax-in-fp32", "router precision").equivalent(kDense),
    flag("moe-revert-type-after-topk", "router precision").equivalent(kDense),
    real("moe-input-jitter-eps", "", "router noise").equivalent(kDense),
    flag("input-jitter", "router noise").equivalent(kDense),
    flag("seq-aux", "balance loss per sequence").equivalent(kDense),
    flag("use-global-aux-loss", "balance loss").equivalent(kDense),
    integer("n-shared-experts", "", "shared experts").equivalent(kDense),
    integer("moe-shared-expert-intermediate-size", "", "shared experts").equivalent(kDense),
    flag("shared-expert-gate", "shared experts").equivalent(kDense),
    text("shared-expert-gate-output-dimension", "", "shared experts").equivalent(kDense),
    flag("moe-shared-expert-overlap", "shared experts").equivalent(kDense),
    integer("num-zero-experts", "", "experts that do nothing").refused(kMoe),
    integer("n-hash-layers", "", "experts by token id").refused(kMoe),
    real("moe-expert-capacity-factor", "", "capacity").equivalent(kDense),
    flag("moe-pad-expert-input-to-capacity", "capacity").equivalent(kDense),
    text("moe-token-drop-policy", "probs", "capacity").equivalent(kDense),
    flag("moe-permute-fusion", "fused permutation")
        .alias("use-fused-moe-token-permute-and-unpermute")
        .equivalent(kDense),
    flag("moe-tp-extend-ep", "experts over tensor ranks").equivalent(kDense),
    flag("moe-alltoall-overlap-comm", "overlap").equivalent(kDense),
    flag("moe-allgather-overlap-comm", "overlap").equivalent(kDense),
    flag("moe-alltoall-mc2", "overlap").equivalent(kDense),
    flag("moe-fb-overlap", "overlap").equivalent(kDense),
    flag("moe-unperm2-mem-optim-swap", "memory").equivalent(kDense),
    flag("fix-router", "performance test").refused(kMoe),
};

constexpr Field kLatentRows[] = {
    flag("multi-latent-attention", "latent attention").refused(kLatent).alias("multi-head-latent-attention"),
    integer("q-lora-rank", "", "latent attention").refused(kLatent),
    integer("kv-lora-rank", "", "latent attention").refused(kLatent),
    integer("qk-head-dim", "", "latent attention").refused(kLatent).alias("qk-nope-head-dim"),
    integer("qk-pos-emb-head-dim", "", "latent attention").refused(kLatent).alias("qk-rope-head-dim"),
    integer("v-head-dim", "", "latent attention").refused(kLatent),
    flag("mla-mm-split", "latent attention").refused(kLatent),
    integer("padded-base-length", "128", "latent attention").refused(kLatent),
    flag("mla-fa-without-pad", "latent attention").refused(kLatent),
    flag("mla-fa-divide-qk", "latent attention").refused(kLatent),
    flag("mla-up-proj-tp-overlap", "latent attention").refused(kLatent),
    flag("mla-swap-core-attn-out", "latent attention").refused(kLatent),
    flag("enable-mla-absorb", "latent attention").refused(kLatent),
    flag("enable-mla-scale-q-lora", "latent attention").refused(kLatent),
    flag("enable-mla-scale-kv-lora", "latent attention").refused(kLatent),
    flag("enable-dsa-indexer", "sparse attention").refused(kLatent),
    integer("index-n-heads", "64", "sparse attention").refused(kLatent),
    integer("index-head-dim", "128", "sparse attention").refused(kLatent),
    integer("index-topk", "2048", "sparse attention").refused(kLatent),
    integer("index-topk-freq", "1", "sparse attention").refused(kLatent),
    text("index-topk-pattern", "", "sparse attention").refused(kLatent),
    integer("index-skip-topk-offset", "2", "sparse attention").refused(kLatent),
    flag("index-share-for-mtp-iteration", "sparse attention").refused(kLatent),
    real("indexer-loss-coeff", "1.0", "sparse attention").refused(kLatent),
    flag("use-fused-lightning-indexer", "sparse attention").refused(kLatent),
    flag("use-fused-lightning-indexer-loss", "sparse attention").refused(kLatent),
    flag("use-sparse-flash-attn", "sparse attention").refused(kLatent),
    flag("apply-rope-no-in-complex", "sparse attention").refused(kLatent),
    flag("no-use-sparse-c8-indexer", "sparse attention").refused(kLatent),
    text("indexer-qk-quant-scheme", "", "sparse attention").refused(kLatent),
    integer("o-groups", "8", "compressed attention").refused(kLatent),
    integer("o-lora-rank", "1024", "compressed attention").refused(kLatent),
    integer("sliding-window-size", "128", "compressed attention").refused(kLatent),
    flag("kv-compress", "compressed attention").refused(kLatent),
    list("compress-ratios", "", "compressed attention").refused(kLatent),
    integer("original-seq-len", "", "compressed attention").refused(kLatent),
    integer("max-batch-size", "", "compressed attention").refused(kLatent),
    text("scale-fmt", "", "compressed attention").refused(kLatent),
    flag("enable-mhc", "several residual streams").refused(kLatent),
    integer("hc-mult", "4", "several residual streams").refused(kLatent),
    integer("hc-sinkhorn-iters", "20", "several residual streams").refused(kLatent),
    real("hc-eps", "1e-6", "several residual streams").refused(kLatent),
    flag("use-fused-mhc", "several residual streams").refused(kLatent),
    integer("mtp-num-layers", "", "multi-token prediction").refused(kMtp).off_at("0"),
    real("mtp-loss-scaling-factor", "0.1", "multi-token prediction").refused(kMtp),
    flag("mtp-mem-efficient-logits", "multi-token prediction").refused(kMtp),
    list("mtp-spec", "", "multi-token prediction").refused(kMtp),
};

constexpr Field kLinearRows[] = {
    integer("full-attention-interval", "", "every n-th layer is full attention").refused(kLinear),
    integer("linear-key-head-dim", "", "gated delta net").refused(kLinear),
    integer("linear-num-key-heads", "", "gated delta net").refused(kLinear),
    integer("linear-value-head-dim", "", "gated delta net").refused(kLinear),
    integer("linear-num-value-heads", "", "gated delta net").refused(kLinear),
    integer("mamba-d-conv", "4", "state space").refused(kLinear),
    integer("mamba-expand", "1", "state space").refused(kLinear),
    integer("mamba-chunk-size", "256", "state space").refused(kLinear),
    integer("mamba-state-dim", "128", "state space").refused(kLinear),
    integer("mamba-head-dim", "64", "state space").refused(kLinear),
    integer("mamba-num-groups", "8", "state space").refused(kLinear),
    integer("mamba-d-ssm", "", "state space").refused(kLinear),
    text("hybrid-override-pattern", "", "state space").refused(kLinear),
    real("hybrid-attention-ratio", "0", "state space").refused(kLinear).off_at("0"),
    real("hybrid-mlp-ratio", "0", "state space").refused(kLinear).off_at("0"),
};

}  // namespace

constexpr unsigned kAll = kPretrain | kGenerate | kEvaluate;
FieldGroup moe_group() { return {"moe", "Mixture of experts", kAll, kExperts}; }
FieldGroup latent_attention_group() {
  return {"latent-attention", "Latent and sparse attention", kAll, kLatentRows};
}
FieldGroup linear_attention_group() { return {"linear-attention", "Linear attention", kAll, kLinearRows}; }

}  // namespace mindspeed
