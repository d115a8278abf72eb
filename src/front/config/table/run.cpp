// The run itself: logging, evaluation, seeds, profiling.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kProfile = "profiling is not built yet";
constexpr std::string_view kHighAvailability =
    "in-memory recovery is not built yet; use --save-interval and resume";

constexpr Field kLogging[] = {
    integer("log-interval", "100", "steps between log lines").at_least(1),
    flag("log-throughput", "TFLOP/s in log lines"),
    flag("log-params-norm", "norm of all weights in log lines"),
    text("tensorboard-dir", "", "folder of TensorBoard event files"),
    text("log-jsonl", "", "one JSON object per logged step goes to this file"),
    text("loss-curve", "", "SVG picture of the loss"),
    flag("no-progress", "no live line on a terminal"),
    integer("eval-interval", "1000", "steps between evaluations").at_least(1),
    flag("skip-train", "evaluate on held-out data, train nothing"),
    integer("eval-iters", "100", "batches per evaluation, 0 = none").at_least(0),
    integer("tensorboard-log-interval", "1", "steps between events")
        .at_least(1)
        .equivalent("follows --log-interval"),
    flag("log-timers-to-tensorboard", "timers").refused(kProfile),
    flag("log-memory-to-tensorboard", "memory").equivalent("memory stands in every log line"),
    flag("use-wandb", "Weights & Biases")
        .refused("nothing is sent to outside services; use --tensorboard-dir"),
    text("wandb-project", "", "Weights & Biases")
        .refused("nothing is sent to outside services; use --tensorboard-dir"),
    integer("timing-log-level", "0", "detail of timers").refused(kProfile).off_at("0"),
    flag("profile", "profiler").refused(kProfile),
    integer("profile-step-start", "", "profiler").refused(kProfile),
    integer("profile-step-end", "", "profiler").refused(kProfile),
    list("profile-ranks", "", "profiler").refused(kProfile),
    text("profile-level", "", "profiler").refused(kProfile),
    text("profile-export-type", "", "profiler").refused(kProfile),
    flag("profile-data-simplification", "profiler").refused(kProfile),
    flag("profile-with-cpu", "profiler").refused(kProfile),
    flag("profile-with-stack", "profiler").refused(kProfile),
    flag("profile-with-memory", "profiler").refused(kProfile),
    flag("profile-record-shapes", "profiler").refused(kProfile),
    text("profile-save-path", "", "profiler").refused(kProfile),
};

constexpr Field kRunOptions[] = {
    integer("seed", "1234", "seed of initial weights, data order and dropout").at_least(0).any_size(),
    integer("threads", "0", "threads per rank, 0 = OMP_NUM_THREADS, else cores / local ranks")
        .between(0, 1024),
    flag("dry-run", "print the plan (pretrain: with the memory forecast), run nothing"),
    integer("world-size", "", "ranks to plan for with --dry-run; otherwise the launcher says").at_least(1),
    text("config", "", "YAML file with settings; the command line wins"),
    text("save-config", "", "write the resolved settings to this YAML file"),
    flag("print-config", "print every setting, not only the changed ones"),
    flag("npu-deterministic", "deterministic kernels")
        .alias("use-deter-comp|deterministic-mode")
        .equivalent("always on"),
    text("ai-framework", "", "framework under MindSpeed")
        .one_of("pytorch|mindspore")
        .equivalent("the program needs no Python framework"),
    integer("optimization-level", "2", "MindSpeed's patch level").between(0, 2).tuning(),
    flag("manual-gc", "Python garbage collection").tuning("there is no Python"),
    integer("manual-gc-interval", "0", "Python garbage collection").at_least(0).tuning("there is no Python"),
    flag("no-manual-gc-eval", "Python garbage collection").tuning("there is no Python"),
    flag("no-check-for-nan-in-loss-and-grad", "do not test for NaN")
        .refused("the test always runs; see --on-non-finite"),
    flag("check-for-nan-in-loss-and-grad", "test for NaN").equivalent("always on"),
    flag("calculate-per-token-loss", "loss per token of the global batch").equivalent("this is always so"),
    flag("npu-datadump", "dump tensors").refused("an Ascend tool"),
    flag("enable-high-availability", "in-memory recovery").refused(kHighAvailability),
    flag("enable-hbmfault-repair", "in-memory recovery").refused(kHighAvailability),
    flag("enable-worker-reboot", "in-memory recovery").refused(kHighAvailability),
    flag("enable-elastic-training", "in-memory recovery").refused(kHighAvailability),
    flag("distributed-optimizer-no-replica", "in-memory recovery").refused(kHighAvailability),
    text("loss-compute-mode", "default", "head and loss in pieces")
        .one_of("default|chunk")
        .equivalent("the loss is always computed in pieces; the numbers are the same"),
    integer("loss-chunk-size", "1024", "rows per piece")
        .at_least(1)
        .tuning("the piece size is chosen by memory"),
};

}  // namespace

FieldGroup logging_group() { return {"logging", "Logging and evaluation", kPretrain, kLogging}; }
FieldGroup run_group() { return {"run", "Run", kPretrain | kGenerate | kEvaluate, kRunOptions}; }

}  // namespace mindspeed
