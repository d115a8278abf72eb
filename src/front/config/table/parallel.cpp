// Parallelism: degrees, layouts, communication.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kContext =
    "context parallelism is not built yet; shorten --seq-length or recompute";
constexpr std::string_view kNeedsExperts =
    "expert parallelism needs mixture-of-experts models, which are not built yet";
constexpr std::string_view kInterleaved =
    "only the 1F1B schedule is built yet; drop the flag: the loss is the same";
constexpr std::string_view kUneven =
    "layers are split evenly over the stages; other splits are not built yet";
constexpr std::string_view kOffTopic = "this layout is not built yet";
constexpr std::string_view kCpNothing = "context-parallel-size is 1: nothing to exchange";

constexpr Field kDegrees[] = {
    integer("tensor-model-parallel-size", "1", "ranks that share each layer").at_least(1),
    integer("pipeline-model-parallel-size", "1", "stages that the layers are split over").at_least(1),
    flag("sequence-parallel", "norms and dropout on 1/TP of the sequence; nothing at TP 1"),
    integer("context-parallel-size", "1", "ranks that share a sequence")
        .at_least(1)
        .refused(kContext)
        .off_at("1"),
    integer("expert-model-parallel-size", "1", "ranks that share the experts")
        .at_least(1)
        .refused(kNeedsExperts)
        .off_at("1"),
    integer("expert-tensor-parallel-size", "", "tensor parallelism of experts")
        .at_least(1)
        .refused(kNeedsExperts)
        .off_at("1"),
    text("distributed-backend", "gloo", "transport between ranks")
        .one_of("gloo|nccl|hccl")
        .tuning("gloo is used on CPU"),
    integer("distributed-timeout-minutes", "30", "how long a rank waits for another").at_least(1),
    flag("overlap-grad-reduce", "send gradients while computing").tuning(),
    flag("overlap-param-gather", "gather weights while computing").tuning(),
    flag("align-grad-reduce", "same start of reductions").tuning(),
    flag("no-align-grad-reduce", "free start of reductions").tuning(),
    integer("ddp-bucket-size", "", "gradient elements per message").at_least(1).tuning(),
};

constexpr Field kParallelVariants[] = {
    integer("num-layers-per-virtual-pipeline-stage", "", "interleaved 1F1B")
        .at_least(1)
        .refused(kInterleaved),
    integer("num-virtual-stages-per-pipeline-rank", "", "interleaved 1F1B")
        .at_least(1)
        .refused(kInterleaved)
        .off_at("1"),
    text("schedules-method", "", "dualpipev").refused(kInterleaved),
    flag("dualpipev-dw-detach", "dualpipev").refused(kInterleaved),
    text("num-layer-list", "", "layers per stage").refused(kUneven),
    text("noop-layers", "", "layers that do nothing").refused(kUneven),
    text("pipeline-num-transformer-layers", "", "layers per stage and chunk").refused(kUneven),
    text("pipeline-model-parallel-layout", "", "layout as a string").refused(kUneven),
    integer("decoder-first-pipeline-num-layers", "", "layers of the first stage").refused(kUneven),
    integer("decoder-last-pipeline-num-layers", "", "layers of the last stage").refused(kUneven),
    flag("optimize-p2p-comm", "streams of send and receive").tuning(),
    flag("optimize-send-recv-comm", "groups of send and receive").tuning(),
    text("context-parallel-algo", "megatron_cp_algo", "how a sequence is shared")
        .one_of("megatron_cp_algo|hybrid_cp_algo|ulysses_cp_algo|kvallgather_cp_algo|mamba_cp_algo|"
                "hybrid_adaptive_cp_algo|adaptive_cp_algo")
        .equivalent(kCpNothing),
    text("attention-mask-type", "causal", "mask under context parallelism")
        .one_of("causal|general")
        .alias("cp-attention-mask-type")
        .equivalent("documents are told apart by their lengths; attention is causal"),
    flag("use-cp-send-recv-overlap", "ring attention").equivalent(kCpNothing),
    flag("use-fused-ring-attention-update", "ring attention").equivalent(kCpNothing),
    flag("megatron-cp-in-bnsd", "ring attention").equivalent(kCpNothing),
    integer("cp-window-size", "1", "double ring").at_least(1).equivalent(kCpNothing),
    integer("ulysses-degree-in-cp", "", "hybrid attention").equivalent(kCpNothing),
    text("kv-head-repeat-before-uly-alltoall", "", "ulysses")
        .one_of("True|False|true|false")
        .equivalent(kCpNothing),
    flag("use-ulysses-allgather-kv", "ulysses").equivalent(kCpNothing),
    text("context-parallel-kv-cache-policy", "", "kept keys and values")
        .one_of("full|half")
        .equivalent(kCpNothing),
    integer("context-parallel-cache-interval", "0", "kept keys and values").equivalent(kCpNothing),
    flag("tp-2d", "two-dimensional tensor parallelism").refused(kOffTopic),
    integer("tp-x", "1", "two-dimensional tensor parallelism").refused(kOffTopic).off_at("1"),
    integer("tp-y", "1", "two-dimensional tensor parallelism").refused(kOffTopic).off_at("1"),
    flag("enable-overlap-ag-with-matmul", "2-D overlap").tuning(),
    flag("enable-overlap-matmul-with-rs", "2-D overlap").tuning(),
    flag("enable-backward-overlap-ag-with-matmul", "2-D overlap").tuning(),
    flag("use-ascend-coc", "matmul and collective in pieces").tuning(),
    integer("coc-mode", "-1", "matmul and collective in pieces").tuning(),
    integer("coc-parallel-num", "1", "matmul and collective in pieces").one_of("1|2|4|8").tuning(),
    flag("coc-fused-kernel", "matmul and collective in pieces").tuning(),
    flag("use-ascend-mc2", "fused matmul and collective").alias("use-mc2").tuning(),
    flag("layerwise-disaggregated-training", "edge and cloud").refused(kOffTopic),
    flag("use-torch-fsdp2", "fully sharded").refused("the fully sharded back-end is not built yet"),
    flag("use-custom-fsdp", "fully sharded").refused("the fully sharded back-end is not built yet"),
    text("hccl-group-buffer", "", "HCCL").tuning(),
    flag("hccl-group-buffer-adaptive", "HCCL").tuning(),
    real("hccl-ep-group-buffer-adaptive-factor", "-1", "HCCL").tuning(),
    text("hccl-op-mode", "", "HCCL").tuning(),
    text("hccl-slice-size", "", "HCCL").tuning(),
    flag("disable-gloo-group", "checkpoints over the device fabric").tuning(),
    flag("use-tp-pp-dp-mapping", "order of ranks").refused("ranks are in Megatron's order tp-cp-ep-dp-pp"),
};

}  // namespace

constexpr unsigned kParallelCommands = kPretrain | kGenerate | kEvaluate;
FieldGroup parallel_group() { return {"parallel", "Parallelism", kParallelCommands, kDegrees}; }
FieldGroup parallel_variant_group() {
  return {"parallel-variants", "Parallelism: variants", kParallelCommands, kParallelVariants};
}

}  // namespace mindspeed
