// Precision, fused kernels, recomputation, memory.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kFp8 = "needs a device with fp8 hardware";
constexpr std::string_view kSwap = "weights and activations live in host memory already";
constexpr std::string_view kFused = "the best kernel for this machine is chosen at run time";

constexpr Field kPrecision[] = {
    flag("bf16", "bf16 weights and activations with an fp32 master copy (default: fp32)"),
    flag("fp16", "fp16 weights and activations with an fp32 master copy and a loss scale"),
    real("loss-scale", "", "fixed factor of the loss (default: dynamic with --fp16, else 1)").above(0),
    real("initial-loss-scale", "4294967296", "--fp16: first dynamic loss scale").above(0),
    real("min-loss-scale", "1", "--fp16: lowest dynamic loss scale").above(0),
    integer("loss-scale-window", "1000", "--fp16: steps without overflow until the loss scale is doubled")
        .at_least(1),
    integer("hysteresis", "2", "--fp16: overflows until the loss scale is halved").at_least(1),
    flag("attention-softmax-in-fp32", "softmax in fp32").equivalent("softmax is always fp32"),
    flag("accumulate-allreduce-grads-in-fp32", "fp32 gradients").equivalent("gradients are always fp32"),
    flag("rmsnorm-weight-in-fp32", "norm weights in fp32").equivalent("norm arithmetic is always fp32"),
    flag("init-norm-weight-in-fp32", "norm weights in fp32").equivalent("norm arithmetic is always fp32"),
    flag("input-layernorm-in-fp32", "norm in fp32").equivalent("norm arithmetic is always fp32"),
    flag("apply-query-key-layer-scaling", "scaled scores for fp16").equivalent("softmax is always fp32"),
    text("fp8-format", "", "fp8 matrices").refused(kFp8),
    text("fp8-recipe", "", "fp8 matrices").refused(kFp8),
    flag("no-use-gmm-fp8", "fp8 matrices").equivalent("nothing is fp8 here"),
    text("te-gmm-mode", "", "fp8 matrices").refused(kFp8),
    flag("fp8-reuse-quantized-weight", "fp8 matrices").refused(kFp8),
    text("qat-scheme", "", "quantisation-aware training")
        .refused("quantisation-aware training is not built yet"),
};

constexpr Field kFusion[] = {
    flag("use-flash-attn", "fused attention").tuning(kFused),
    flag("use-fused-rmsnorm", "fused norm").tuning(kFused),
    flag("use-fused-swiglu", "fused activation").tuning(kFused),
    flag("use-fused-rotary-pos-emb", "fused rope").tuning(kFused),
    flag("no-rope-fusion", "separate rope").tuning(kFused),
    flag("no-bias-swiglu-fusion", "separate bias and activation").tuning(kFused),
    flag("no-bias-gelu-fusion", "separate bias and activation").tuning(kFused),
    flag("no-bias-dropout-fusion", "separate bias and dropout").tuning(kFused),
    flag("no-masked-softmax-fusion", "separate mask and softmax").tuning(kFused),
    flag("no-gradient-accumulation-fusion", "separate gradient accumulation").tuning(kFused),
    flag("gemm-gradient-accumulation-fusion", "fused accumulation of expert gradients").tuning(kFused),
    text("shape-order", "SBH", "memory order of fused attention")
        .one_of("SBH|BSH|BSND|BNSD|TND")
        .tuning(kFused),
    integer("pre-tockens", "1048576", "window of fused attention")
        .refused("use --sliding-window")
        .off_at("1048576|65536"),
    integer("next-tockens", "0", "window of fused attention").refused("attention is causal").off_at("0"),
    integer("sparse-mode", "0", "mask form of fused attention").tuning(kFused),
    flag("use-fusion-attn-v2", "fused attention").tuning(kFused),
    flag("use-triton-gdn", "triton kernel").tuning(kFused),
    flag("use-triton-mhc", "triton kernel").tuning(kFused),
    flag("use-triton-swiglu-limit", "triton kernel").tuning(kFused),
};

constexpr Field kRecompute[] = {
    text("recompute-granularity", "", "full: whole layers; selective: attention only")
        .one_of("full|selective"),
    text("recompute-method", "", "uniform: groups of layers; block: the first layers of a stage")
        .one_of("uniform|block"),
    integer("recompute-num-layers", "", "layers per group, or recomputed layers per stage").at_least(1),
};

constexpr std::string_view kFine =
    "only whole-layer recomputation is built yet; use --recompute-granularity full";

constexpr Field kMemory[] = {
    flag("enable-recompute-layers-per-pp-rank", "count per stage").equivalent("stages are not interleaved"),
    flag("recompute-activation-function", "recompute activations only").refused(kFine),
    integer("recompute-activation-function-num-layers", "", "recompute activations only").refused(kFine),
    flag("recompute-norm", "recompute norms only").refused(kFine),
    integer("recompute-norm-num-layers", "", "recompute norms only").refused(kFine),
    flag("recompute-in-bubble", "recompute while waiting").refused(kFine),
    flag("recompute-in-advance", "recompute while waiting").refused(kFine),
    flag("recompute-mla-up-proj", "recompute projections only").refused(kFine),
    flag("mla-zero-memory", "recompute projections only").refused(kFine),
    flag("moe-layer-recompute", "recompute expert layers only").refused(kFine),
    text("moe-zero-memory", "disable", "recompute expert layers only").refused(kFine).off_at("disable"),
    integer("moe-zero-memory-num-layers", "", "recompute expert layers only").refused(kFine),
    flag("swap-attention", "activations on the host").tuning(kSwap),
    text("swap-modules", "", "activations on the host").tuning(kSwap),
    flag("swap-layer-input", "activations on the host").tuning(kSwap),
    flag("smart-swap", "activations on the host").tuning(kSwap),
};

}  // namespace

constexpr unsigned kAll = kPretrain | kGenerate | kEvaluate;
FieldGroup precision_group() { return {"precision", "Precision", kAll, kPrecision}; }
FieldGroup fusion_group() { return {"fusion", "Fused kernels", kAll, kFusion}; }
FieldGroup recompute_group() { return {"recompute", "Recomputation", kPretrain, kRecompute}; }
FieldGroup memory_group() { return {"memory", "Recomputation and memory: variants", kPretrain, kMemory}; }

}  // namespace mindspeed
