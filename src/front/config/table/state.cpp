// Checkpoints: saving, loading, exporting.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr Field kSave[] = {
    text("save", "", "folder that checkpoints go to"),
    integer("save-interval", "", "steps between checkpoints").at_least(1),
    integer("keep-last", "0", "checkpoints that are kept, 0 = all").at_least(0),
    flag("no-save-optim", "checkpoints without optimizer state (not resumable)"),
    flag("no-save-rng", "checkpoints without random state")
        .equivalent("randomness is a function of seed and position"),
    text("export-hf", "", "write a Hugging Face folder here when training ends"),
    flag("async-save", "write checkpoints while training goes on; takes memory for a copy of the state"),
};

constexpr Field kLoad[] = {
    text("load", "", "folder to resume from; with --enable-hf2mg-convert a Hugging Face folder"),
    integer("ckpt-step", "", "which checkpoint to load").refused("the newest complete checkpoint is loaded"),
    flag("finetune", "take the weights only and start counting at step 0"),
    flag("no-load-optim", "do not load optimizer state"),
    flag("no-load-rng", "do not load random state"),
    flag("exit-on-missing-checkpoint", "stop if --load holds no checkpoint"),
    text("ckpt-format", "torch_dist", "Megatron's layouts")
        .one_of("torch|torch_dist|torch_dcp|zarr|native")
        .equivalent(
            "checkpoints are native and load in any layout; `mindspeed convert` writes other formats"),
    flag("use-dist-ckpt", "distributed checkpoints").equivalent("native checkpoints are sharded"),
    flag("auto-detect-ckpt-format", "guess the layout").equivalent("formats are recognised by their content"),
    flag("load-checkpoint-loosely", "ignore missing and unexpected tensors")
        .refused("every tensor is accounted for; convert or edit the checkpoint first"),
    flag("no-shared-storage", "each machine has its own disk")
        .tuning("all ranks of one machine share its disk"),
};

}  // namespace

FieldGroup checkpoint_group() { return {"checkpoint", "Checkpoints", kPretrain, kSave}; }
FieldGroup checkpoint_load_group() { return {"load", "Loading", kPretrain | kGenerate | kEvaluate, kLoad}; }

}  // namespace mindspeed
