// Flags of the other tasks: fine-tuning, generation, conversion, evaluation, and MindSpeed's fsdp YAML keys.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr std::string_view kTuning =
    "fine-tuning and alignment are not built yet; pretrain trains on plain text";
constexpr std::string_view kLora = "adapters are not built yet";

constexpr Field kPosttrain[] = {
    text("stage", "", "sft, dpo, ...").refused(kTuning),
    flag("is-instruction-dataset", "instruction data").refused(kTuning),
    flag("is-pairwise-dataset", "preference data").refused(kTuning),
    text("prompt-type", "", "chat template").refused(kTuning),
    text("enable-thinking", "", "reasoning template").refused(kTuning),
    flag("no-pad-to-seq-lengths", "dynamic length").refused(kTuning),
    integer("pad-to-multiple-of", "8", "dynamic length").refused(kTuning),
    flag("variable-seq-lengths", "dynamic length").refused(kTuning),
    flag("padded-samples", "fill the last batch").refused(kTuning),
    flag("pack", "packed samples").refused(kTuning),
    flag("neat-pack", "packed samples").refused(kTuning),
    flag("no-shuffle", "keep the order").refused(kTuning),
    flag("full-shuffle-instruction-dataset", "shuffle").refused(kTuning),
    flag("cut-max-seqlen", "cut long samples").refused(kTuning),
    text("dpo-loss-type", "sigmoid", "preference loss").refused(kTuning),
    real("dpo-beta", "0.1", "preference loss").refused(kTuning),
    real("dpo-label-smoothing", "0", "preference loss").refused(kTuning),
    real("pref-ftx", "0", "preference loss").refused(kTuning),
    text("ref-model", "", "reference model").refused(kTuning),
    integer("lora-r", "16", "adapter rank").refused(kLora),
    real("lora-alpha", "32", "adapter scale").refused(kLora),
    list("lora-target-modules", "", "adapted layers").refused(kLora),
    text("lora-load", "", "adapter to load").refused(kLora),
    flag("lora-fusion", "fused adapters").refused(kLora),
    flag("lora-ckpt-filter", "save adapters only").refused(kLora),
    list("lora-modules-to-save", "", "trained layers").refused(kLora),
    list("lora-register-forward-hook", "", "adapters").refused(kLora),
    text("config-name", "", "reinforcement learning").refused(kTuning),
    integer("lu-lora-final-layer-index", "", "adapters").refused(kLora),
};

constexpr Field kGeneration[] = {
    list("prompt", "", "generate: text to continue; several quoted texts make a batch"),
    text("prompt-file", "", "file with one prompt per line"),
    text("system", "", "system prompt of a chat"),
    integer("max-new-tokens", "128", "longest answer").at_least(1),
    flag("greedy", "always the most likely token"),
    real("temperature", "1.0", "flatness of the distribution, 0 = greedy").at_least(0),
    integer("top-k", "0", "choose among the k most likely, 0 = all").at_least(0),
    real("top-p", "1.0", "choose among the most likely with this sum").between(0, 1),
    list("stop", "", "texts that end the answer"),
    flag("chat-template", "format the prompt as a chat turn").alias("hf-chat-template"),
    flag("no-stream", "print whole answers"),
    flag("ignore-eos", "go on after the end-of-text token"),
    text("output", "", "write one JSON object per prompt to this file"),
    list("template-kwargs", "", "KEY=VALUE variables of the chat template"),
    list("task", "", "MindSpeed's task list")
        .refused("use `mindspeed generate` or `mindspeed chat`")
        .off_at("chat|greedy"),
    flag("use-kv-cache", "keep keys and values").equivalent("always on"),
    integer("seq-length", "", "longest context").at_least(1),
    integer("micro-batch-size", "1", "prompts at once").at_least(1).equivalent("all prompts are one batch"),
};

constexpr std::string_view kFp8Weights = "weights in blocks of fp8 are not read yet";

constexpr std::string_view kNothingTrained = "no weight is trained by this command";

// MindSpeed's scripts pass these to every entry point.
constexpr Field kTrainingOnly[] = {
    integer("global-batch-size", "", "training").equivalent(kNothingTrained),
    integer("train-iters", "", "training").equivalent(kNothingTrained),
    real("lr", "", "training").equivalent(kNothingTrained),
    real("min-lr", "", "training").equivalent(kNothingTrained),
    text("lr-decay-style", "", "training").equivalent(kNothingTrained),
    real("lr-warmup-fraction", "", "training").equivalent(kNothingTrained),
    real("weight-decay", "", "training").equivalent(kNothingTrained),
    real("clip-grad", "", "training").equivalent(kNothingTrained),
    real("adam-beta1", "", "training").equivalent(kNothingTrained),
    real("adam-beta2", "", "training").equivalent(kNothingTrained),
    flag("use-distributed-optimizer", "training").equivalent(kNothingTrained),
    flag("reuse-fp32-param", "training").equivalent(kNothingTrained),
    flag("swap-optimizer", "training").equivalent(kNothingTrained),
    text("prompt-type", "", "named chat template")
        .refused("templates by name are not built yet; use --chat-template"),
    integer("lora-r", "16", "adapter rank").refused(kLora),
    real("lora-alpha", "32", "adapter scale").refused(kLora),
    list("lora-target-modules", "", "adapted layers").refused(kLora),
    flag("lora-fusion", "fused adapters").refused(kLora),
    text("lora-load", "", "adapter to load").refused(kLora),
};

constexpr std::string_view kFromConfig = "the architecture comes from config.json";

constexpr Field kConvertRows[] = {
    text("load-dir", "", "what to read: Hugging Face folder, .gguf file, native checkpoint")
        .alias("input|model|load"),
    text("save-dir", "", "what to write").alias("output|save"),
    text("load-model-type", "", "kind of the input (default: recognised)").one_of("hf|gguf|native|mg"),
    text("save-model-type", "hf", "kind of the output").one_of("hf|gguf|native|mg"),
    text("model-type-hf", "", "family; must agree with config.json"),
    text("hf-cfg-dir", "", "folder with config.json and tokenizer files to copy"),
    text("dtype", "", "storage type of the output (default: as stored)")
        .one_of("fp32|bf16|fp16")
        .alias("params-dtype"),
    integer("target-tensor-parallel-size", "1", "Megatron layout").at_least(1),
    integer("target-pipeline-parallel-size", "1", "Megatron layout").at_least(1),
    integer("target-expert-parallel-size", "1", "Megatron layout").at_least(1),
    integer("expert-tensor-parallel-size", "", "Megatron layout").at_least(1),
    integer("source-tensor-parallel-size", "1", "Megatron layout").at_least(1),
    integer("source-pipeline-parallel-size", "1", "Megatron layout").at_least(1),
    integer("source-expert-parallel-size", "1", "Megatron layout").at_least(1),
    integer("num-layers-per-virtual-pipeline-stage", "", "Megatron layout").at_least(1),
    text("num-layer-list", "", "Megatron layout"),
    text("noop-layers", "", "Megatron layout"),
    flag("moe-grouped-gemm", "Megatron layout"),
    flag("moe-tp-extend-ep", "Megatron layout"),
    flag("mla-mm-split", "Megatron layout"),
    integer("mtp-num-layers", "", "Megatron layout"),
    text("schedules-method", "", "Megatron layout"),
    text("transformer-impl", "local", "Megatron layout").one_of("local|transformer_engine"),
    list("spec", "", "Megatron's module specification").equivalent(kFromConfig),
    integer("num-layers", "", "architecture").equivalent(kFromConfig),
    integer("first-k-dense-replace", "", "architecture").equivalent(kFromConfig),
    flag("add-qkv-bias", "architecture").equivalent(kFromConfig),
    flag("post-norm", "architecture").equivalent(kFromConfig),
    flag("use-mcore-models", "Megatron layout").equivalent("there is one model implementation"),
    text("ai-framework", "", "framework under MindSpeed").equivalent("the program needs no Python framework"),
    text("model-type", "GPT", "Megatron's name")
        .one_of("GPT")
        .equivalent("the family comes from config.json"),
    integer("lora-r", "16", "adapter rank").refused(kLora),
    real("lora-alpha", "32", "adapter scale").refused(kLora),
    list("lora-target-modules", "", "adapted layers").refused(kLora),
    text("lora-load", "", "adapter to load").refused(kLora),
    flag("save-lora-to-hf", "adapters").refused(kLora),
    text("input-fp8-hf-path", "", "DeepSeek-V4 weights").refused(kFp8Weights),
    text("output-hf-path", "", "DeepSeek-V4 weights").refused(kFp8Weights),
    text("quant-type", "", "DeepSeek-V4 weights").refused(kFp8Weights),
    integer("workers", "1", "threads").between(1, 1024),
    flag("overwrite", "write into a folder that is not empty"),
};

constexpr std::string_view kEval = "evaluation tasks are not built yet; --eval-iters measures held-out loss";

constexpr Field kEvaluateRows[] = {
    text("task", "", "name of the task").refused(kEval),
    text("task-data-path", "", "data of the task").refused(kEval),
    flag("no-chat-template", "plain prompts").refused(kEval),
    integer("seq-length", "", "longest context").refused(kEval),
    integer("micro-batch-size", "1", "prompts at once").refused(kEval),
    integer("evaluation-batch-size", "1", "prompts at once").refused(kEval),
    flag("alternative-prompt", "other prompts").refused(kEval),
    flag("broadcast", "share results").refused(kEval),
    integer("max-new-tokens", "128", "longest answer").refused(kEval),
};

constexpr std::string_view kFsdp = "the fully sharded back-end is not built yet; use `mindspeed pretrain`";

constexpr Field kFsdpRows[] = {
    text("model.model_name_or_path", "", "model").refused(kFsdp),
    text("model.tokenizer_name_or_path", "", "tokenizer").refused(kFsdp),
    text("model.quant_recipe_name", "", "quantisation").refused(kFsdp),
    text("model.enable_fsdp_low_precision_all_gather", "", "quantisation").refused(kFsdp),
    list("model.quant_converters", "", "quantisation").refused(kFsdp),
    text("data.dataset", "", "data").refused(kFsdp),
    integer("parallel.fsdp_size", "1", "ranks").refused(kFsdp),
    integer("parallel.ep_size", "1", "ranks").refused(kFsdp),
    integer("parallel.ep_fsdp_size", "1", "ranks").refused(kFsdp),
    text("parallel.reshard_after_forward", "", "sharding").refused(kFsdp),
    text("parallel.efsdp_shard_placement_fn", "", "sharding").refused(kFsdp),
    text("parallel.ep_dispatcher", "", "experts").refused(kFsdp),
    integer("training.per_device_train_batch_size", "8", "batch").refused(kFsdp),
    integer("training.gradient_accumulation_steps", "1", "batch").refused(kFsdp),
    text("training.output_dir", "", "output").refused(kFsdp),
    text("training.log_throughput", "", "logging").refused(kFsdp),
    text("optimization.use_fused_rmsnorm", "", "kernel").refused(kFsdp),
    text("optimization.use_fused_rotary_pos_emb", "", "kernel").refused(kFsdp),
    text("optimization.use_flash_attn", "", "kernel").refused(kFsdp),
    text("optimization.moe_grouped_gemm", "", "kernel").refused(kFsdp),
    integer("optimization.chunk_loss_size", "", "kernel").refused(kFsdp),
    text("optimization.use_triton_gdn", "", "kernel").refused(kFsdp),
    text("optimization.use_flash_gdn", "", "kernel").refused(kFsdp),
    text("optimization.use_sparse_flash_attn", "", "kernel").refused(kFsdp),
    text("optimization.use_fused_lightning_indexer", "", "kernel").refused(kFsdp),
    text("optimization.use_fused_lightning_indexer_loss", "", "kernel").refused(kFsdp),
    text("optimization.use_ascend_mhc", "", "kernel").refused(kFsdp),
    text("optimization.use_triton_swiglu_limit", "", "kernel").refused(kFsdp),
    text("optimization.use_triton_rmsnormgated", "", "kernel").refused(kFsdp),
    text("inference.infer_backend", "", "generation").refused(kFsdp),
    integer("inference.max_new_tokens", "512", "generation")
        .alias("inference.max_new_tokens:")  // as MindSpeed's scripts spell it
        .refused(kFsdp),
};

}  // namespace

FieldGroup posttrain_group() { return {"posttrain", "Fine-tuning", kPretrain, kPosttrain}; }
FieldGroup generation_group() { return {"generation", "Generation", kGenerate, kGeneration}; }
FieldGroup training_only_group() {
  return {"training_only", "Of training", kGenerate | kEvaluate, kTrainingOnly};
}
FieldGroup convert_group() { return {"convert", "Conversion", kConvert, kConvertRows}; }
FieldGroup evaluate_group() { return {"evaluate", "Evaluation", kEvaluate, kEvaluateRows}; }
FieldGroup fsdp_group() { return {"fsdp", "Fully sharded back-end (YAML)", kTrain, kFsdpRows}; }

}  // namespace mindspeed
