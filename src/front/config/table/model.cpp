// Architecture: where a model comes from, and Megatron's flags that describe one.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kPlannedFamily = "this model family is not built yet (see `mindspeed models`)";

constexpr Field kSource[] = {
    text("model", "",
         "Hugging Face folder (config.json, safetensors), .gguf file, or ORG/NAME on a hub to start from"),
    flag("random-init", "random weights although --model has some"),
    text("preset", "", "built-in architecture with random weights, or FAMILY:NAME (see `mindspeed models`)"),
    list("spec", "", "registered model tree, or MindSpeed's MODULE layer_spec"),
    flag("enable-hf2mg-convert", "--load names a Hugging Face folder: start from its weights"),
    flag("enable-mg2hf-convert", "write a Hugging Face folder at the end of training"),
    text("model-type-hf", "", "family of the Hugging Face folder; must agree with its config.json"),
    text("hf-cfg-dir", "", "folder with config.json and tokenizer files to export"),
    text("hf-save-dir", "", "where --enable-mg2hf-convert writes"),
    flag("only-convert-last-checkpoint", "export only at the end")
        .equivalent("the export is always made at the end"),
    text("mg-save-dir", "", "cache of the converted model")
        .equivalent("weights are read from the folder directly"),
    flag("use-mcore-models", "Megatron-core model classes").equivalent("there is one model implementation"),
    text("transformer-impl", "", "local or transformer_engine")
        .one_of("local|transformer_engine")
        .equivalent("there is one model implementation"),
};

constexpr Field kHub[] = {
    text("hub", "huggingface", "where models named ORG/NAME come from").one_of("huggingface|modelscope"),
    text("revision", "", "branch, tag or commit of ORG/NAME (default main, on ModelScope master)"),
    flag("offline", "take ORG/NAME from the cache of this machine, without asking the hub"),
};

constexpr Field kDownloadRows[] = {
    text("model", "", "ORG/NAME, or ORG/NAME:Q4_K_M for one file of a repository of .gguf files"),
    flag("tokenizer-only", "config and tokenizer, without the weights"),
};

constexpr Field kArchitecture[] = {
    integer("num-layers", "", "transformer layers").at_least(1),
    integer("hidden-size", "", "width of the residual stream").at_least(1),
    integer("ffn-hidden-size", "", "inner width of the feed-forward layers (default 4 x hidden)").at_least(1),
    integer("num-attention-heads", "", "query heads").at_least(1),
    flag("group-query-attention", "fewer key/value heads than query heads"),
    integer("num-query-groups", "", "key/value heads, with --group-query-attention").at_least(1),
    integer("kv-channels", "", "channels per head (default hidden / heads)").at_least(1),
    integer("max-position-embeddings", "", "longest sequence the model is made for").at_least(1),
    text("position-embedding-type", "", "how positions enter")
        .one_of("rope|learned_absolute|none|alibi|deepseek4|mrope"),
    flag("use-rotary-position-embeddings", "old name of --position-embedding-type rope"),
    real("rotary-base", "", "base of the rotary frequencies").above(0),
    real("rotary-percent", "", "rotated share of each head").between(0, 1).alias("partial-rotary-factor"),
    integer("rotary-seq-len-interpolation-factor", "", "linear rope scaling factor").at_least(1),
    text("rope-scaling-type", "", "rope scaling rule").one_of("llama3|yarn|longrope|plm|linear|dynamic"),
    real("rope-scaling-factor", "", "rope scaling factor").above(0),
    real("low-freq-factor", "", "llama3 rope: low frequency factor").above(0),
    real("high-freq-factor", "", "llama3 rope: high frequency factor").above(0),
    integer("original-max-position-embeddings", "", "llama3 rope: length before scaling").at_least(1),
    text("normalization", "", "norm of every layer").one_of("RMSNorm|LayerNorm"),
    real("norm-epsilon", "", "epsilon of the norms").above(0).alias("layernorm-epsilon"),
    flag("qk-layernorm", "norm of each query and key head"),
    flag("swiglu", "gated feed-forward with SiLU"),
    flag("disable-bias-linear", "no bias in linear layers"),
    flag("add-qkv-bias", "bias in the query/key/value projection"),
    flag("add-dense-bias", "bias in the attention output projection"),
    flag("untie-embeddings-and-output-weights", "head with its own weights"),
    integer("vocab-size", "", "true vocabulary size").at_least(1),
    integer("padded-vocab-size", "", "vocabulary rows of the layout; must agree with the padding rule")
        .at_least(1),
    integer("make-vocab-size-divisible-by", "128", "pad the vocabulary to a multiple of this x TP")
        .at_least(1),
    real("attention-dropout", "", "dropout of attention weights (default: the model's)").between(0, 1),
    real("hidden-dropout", "", "dropout of hidden states (default: the model's)").between(0, 1),
    real("init-method-std", "0.02", "standard deviation of initial weights").above(0),
    integer("sliding-window", "", "attention window in tokens").at_least(1).alias("window-size"),
    integer("interleave-sliding-window", "", "window of every second layer").refused(kPlannedFamily),
    flag("post-norm", "norms after each branch too").refused(kPlannedFamily),
    flag("use-glm-rope", "interleaved rope on half of the channels").refused(kPlannedFamily),
    flag("add-rmsnorm-offset", "norm weights are stored minus one").refused(kPlannedFamily),
    flag("gelu-tanh", "tanh form of GELU").refused(kPlannedFamily),
    flag("geglu", "gated feed-forward with GELU").refused(kPlannedFamily),
    flag("squared-relu", "squared ReLU feed-forward").refused(kPlannedFamily),
    real("query-pre-attn-scalar", "", "attention scale is this^-0.5").refused(kPlannedFamily),
    real("attn-logit-softcapping", "", "soft cap of attention logits").refused(kPlannedFamily),
    real("output-logit-softcapping", "", "soft cap of output logits").refused(kPlannedFamily),
    flag("input-embeds-norm", "embeddings x sqrt(hidden)").refused(kPlannedFamily),
    real("embedding-multiplier-scale", "", "factor of embeddings").refused(kPlannedFamily).off_at("1"),
    real("output-multiplier-scale", "", "factor of logits").refused(kPlannedFamily).off_at("1"),
    real("scale-emb", "", "factor of embeddings").refused(kPlannedFamily).off_at("1"),
    real("scale-depth", "", "residual factor").refused(kPlannedFamily),
    real("dim-model-base", "", "logit divisor").refused(kPlannedFamily),
    flag("add-output-layer-bias", "bias of the head").refused(kPlannedFamily),
    flag("no-post-layer-norm", "no norm before the head").refused(kPlannedFamily),
    flag("no-enable-linear-qkv", "separate q, k, v projections").refused(kPlannedFamily),
    text("fc-type", "", "order of feed-forward projections").refused(kPlannedFamily),
    real("swiglu-limit", "", "clamp of gate and up").refused(kPlannedFamily),
    flag("alibi", "linear attention biases").refused(kPlannedFamily),
    integer("cla-share-factor", "", "layers sharing keys and values").refused(kPlannedFamily).off_at("1"),
};

constexpr std::string_view kRope = "only llama3, linear and dynamic rope scaling are built yet";

constexpr Field kRopeVariants[] = {
    integer("beta-fast", "", "yarn").refused(kRope).alias("rope-scaling-beta-fast"),
    integer("beta-slow", "", "yarn").refused(kRope).alias("rope-scaling-beta-slow"),
    real("rope-scaling-mscale", "", "yarn").refused(kRope),
    real("rope-scaling-mscale-all-dim", "", "yarn").refused(kRope),
    integer("rope-scaling-original-max-position-embeddings", "", "yarn").refused(kRope),
    text("longrope-freqs-type", "", "longrope").refused(kRope),
    text("long-factor", "", "longrope").refused(kRope),
    text("short-factor", "", "longrope").refused(kRope),
    real("long-mscale", "", "longrope").refused(kRope),
    real("short-mscale", "", "longrope").refused(kRope),
    real("dynamic-factor", "", "dynamic rope").refused(kRope).off_at("1"),
    real("rope-factor", "", "deepseek4").refused(kPlannedFamily),
    real("compress-rope-theta", "", "deepseek4").refused(kPlannedFamily),
};

}  // namespace

constexpr unsigned kModelCommands = kPretrain | kGenerate | kEvaluate;
FieldGroup source_group() { return {"source", "Model: where it comes from", kModelCommands, kSource}; }
FieldGroup hub_group() {
  return {"hub", "Models from a hub", kModelCommands | kPreprocess | kConvert | kDownload, kHub};
}
FieldGroup download_group() { return {"download", "Download", Command::kDownload, kDownloadRows}; }
FieldGroup architecture_group() {
  return {"architecture", "Model: architecture", kModelCommands, kArchitecture};
}
FieldGroup rope_group() { return {"rope", "Model: rope variants", kModelCommands, kRopeVariants}; }

}  // namespace mindspeed
