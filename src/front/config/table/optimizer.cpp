// Batch, optimizer and learning rate. Defaults are Megatron's.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr Field kBatch[] = {
    integer("micro-batch-size", "1", "sequences per rank and forward pass").at_least(1),
    integer("global-batch-size", "", "sequences per step over all ranks (default micro x data parallel)")
        .at_least(1),
    list("rampup-batch-size", "", "START INCREMENT SAMPLES: the global batch grows from START over SAMPLES"),
    integer("seq-length", "", "tokens per sequence (default: the model's maximum)")
        .at_least(1)
        .alias("seq-len"),
    integer("train-iters", "", "steps of the whole run").at_least(0),
    integer("train-samples", "", "sequences of the whole run, instead of --train-iters").between(1, 1e15),
    integer("exit-interval", "", "stop at multiples of this step").at_least(1),
    real("exit-duration-in-mins", "", "stop after this many minutes").above(0),
};

constexpr std::string_view kOptimizers = "adam and sgd are the optimizers built so far";

constexpr Field kOptimizer[] = {
    text("optimizer", "adam", "update rule").one_of("adam|sgd|muon|dist_muon"),
    real("adam-beta1", "0.9", "decay of the first moment").between(0, 0.999999999),
    real("adam-beta2", "0.999", "decay of the second moment").between(0, 0.999999999),
    real("adam-eps", "1e-8", "added to the root of the second moment").above(0),
    real("sgd-momentum", "0.9", "momentum of sgd").between(0, 0.999999999),
    real("weight-decay", "0.01", "decoupled weight decay; none on biases and 1-D weights").at_least(0),
    real("start-weight-decay", "", "weight decay at the first step, with --weight-decay-incr-style")
        .at_least(0),
    real("end-weight-decay", "", "weight decay at the last step").at_least(0),
    text("weight-decay-incr-style", "constant", "how weight decay grows").one_of("constant|linear|cosine"),
    real("clip-grad", "1.0", "largest global gradient norm, 0 = no clipping").at_least(0),
    flag("use-distributed-optimizer", "each data-parallel rank owns a part of the optimizer state"),
    text("on-non-finite", "stop", "a loss or gradient that is not finite: stop the run or skip the step")
        .one_of("stop|skip"),
    integer("max-skips", "10", "skipped steps in a row before the run stops").at_least(1),
};

constexpr Field kOptimizerVariants[] = {
    text("optimizer-selection", "fused_adamw", "Ascend's AdamW kernels")
        .one_of("fused_adamw|fused_torch_adamw|fused_ema_adamw")
        .refused("moving averages of weights (fused_ema_adamw) are not built yet")
        .off_at("fused_adamw|fused_torch_adamw"),
    real("ema-decay", "", "decay of averaged weights").refused(kOptimizers),
    real("muon-momentum", "", "muon").refused(kOptimizers),
    flag("muon-nesterov", "muon").refused(kOptimizers),
    flag("muon-no-split-qkv", "muon").refused(kOptimizers),
    text("muon-scale-mode", "", "muon").refused(kOptimizers),
    text("muon-fp32-matmul-prec", "", "muon").refused(kOptimizers),
    text("muon-coefficient-type", "", "muon").refused(kOptimizers),
    integer("muon-num-ns-steps", "", "muon").refused(kOptimizers),
    text("muon-tp-mode", "", "muon").refused(kOptimizers),
    real("muon-extra-scale-factor", "", "muon").refused(kOptimizers),
    text("muon-scalar-optimizer", "", "muon").refused(kOptimizers),
    flag("apply-wd-to-qk-layernorm", "muon").refused(kOptimizers),
    flag("swap-optimizer", "optimizer state on the host")
        .tuning("weights and state live in host memory already"),
    integer("swap-optimizer-times", "16", "slices of --swap-optimizer").at_least(1).tuning(),
    flag("o2-optimizer", "moments in bf16").refused("low-precision optimizer states are not built yet"),
    flag("o2-gradient", "gradient accumulation in bf16").refused("gradients are always accumulated in fp32"),
    text("quant-states", "", "quantised moments").refused("low-precision optimizer states are not built yet"),
    flag("quant-grads", "fp16 gradients").refused("gradients are always accumulated in fp32"),
    flag("reuse-fp32-param", "no separate bf16 copy of the master weights")
        .equivalent("the numbers are the same; bf16 weights and fp32 masters are both kept"),
    list("virtual-optimizer", "", "state in unified memory").tuning(),
};

constexpr Field kSchedule[] = {
    real("lr", "", "highest learning rate").above(0),
    real("min-lr", "0", "lowest learning rate").at_least(0),
    text("lr-decay-style", "linear", "how the rate falls")
        .one_of("constant|linear|cosine|inverse-square-root|WSD"),
    integer("lr-decay-iters", "", "steps until --min-lr (default: all)").at_least(1),
    integer("lr-decay-samples", "", "the same in samples").between(1, 1e15),
    real("lr-warmup-fraction", "", "share of the decay length that warms up").between(0, 1),
    integer("lr-warmup-iters", "0", "warm-up steps").at_least(0),
    integer("lr-warmup-samples", "0", "warm-up samples").between(0, 1e15),
    real("lr-warmup-init", "0", "learning rate at the start of the warm-up").at_least(0),
    text("lr-wsd-decay-style", "exponential", "last phase of WSD")
        .one_of("exponential|linear|cosine|minus_sqrt"),
    integer("lr-wsd-decay-iters", "", "steps of the last phase of WSD").at_least(1),
    integer("lr-wsd-decay-samples", "", "the same in samples").between(1, 1e15),
    flag("override-opt_param-scheduler", "the schedule of this command replaces the one in the checkpoint"),
    flag("use-checkpoint-opt_param-scheduler", "the schedule in the checkpoint replaces this command's"),
};

}  // namespace

FieldGroup batch_group() { return {"batch", "Batch and length", kPretrain, kBatch}; }
FieldGroup optimizer_group() { return {"optimizer", "Optimizer", kPretrain, kOptimizer}; }
FieldGroup optimizer_variant_group() {
  return {"optimizer-variants", "Optimizer: variants", kPretrain, kOptimizerVariants};
}
FieldGroup schedule_group() { return {"schedule", "Learning rate", kPretrain, kSchedule}; }

}  // namespace mindspeed
