// The Plan: a checked, complete description of a run as plain data. The front half makes it, the engine does
// what it says and asks nothing else. All counts are 64-bit; lengths are in tokens; fractions have been
// resolved to counts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "front/base/dtype.h"
#include "front/plan/model_spec.h"
#include "front/plan/parameter_spec.h"

namespace mindspeed {

// Degrees of parallelism. Global rank = ((pp * dp + d) * cp + c) * tp + t, Megatron's order tp-cp-ep-dp-pp.
struct MeshDegrees {
  int tp = 1, cp = 1, ep = 1, dp = 1, pp = 1;
  bool sequence_parallel = false;
  int world() const { return tp * cp * dp * pp; }
};

// A run of layers on one pipeline stage; `chunk` counts virtual stages on it.
struct StageSlice {
  int stage = 0;
  int chunk = 0;
  int first_layer = 0;
  int layers = 0;
  bool embedding = false;
  bool head = false;
};

// What the loss is multiplied by before backward; gradients are divided by it again. Source of the dynamic
// rule: Megatron's DynamicGradScaler (megatron/core/optimizer/grad_scaler.py).
struct LossScalePlan {
  bool dynamic = false;  // halved when gradients overflow, doubled after `window` steps without overflow
  double initial = 1.0;  // the fixed scale when not dynamic
  double minimum = 1.0;
  int64_t window = 1000;
  int64_t hysteresis = 2;  // overflows that are borne before the scale is halved
};

struct PrecisionPlan {
  DType parameters =
      DType::f32;  // storage of weights and activations; bf16 and fp16 keep an fp32 master copy
  LossScalePlan loss_scale;
};

struct OptimizerPlan {
  std::string kind = "adamw";  // adamw | sgd
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double momentum = 0.0;  // sgd
  double weight_decay = 0.01;
  double clip_grad = 1.0;  // 0 = no clipping
  bool sharded = false;    // each dp rank owns a range of the master weights and moments
};

// Learning rate and weight decay per step, in samples (Megatron's OptimizerParamScheduler counts samples).
struct LrPlan {
  std::string style = "linear";  // constant linear cosine inverse-square-root WSD
  double lr = 0.0, min_lr = 0.0, warmup_init = 0.0;
  double warmup_samples = 0;  // a fraction of the decay samples is taken unrounded, as Megatron does
  int64_t decay_samples = 0;
  int64_t wsd_decay_samples = 0;
  std::string wsd_style = "exponential";
  double start_weight_decay = 0.01, end_weight_decay = 0.01;
  std::string weight_decay_style = "constant";  // constant linear cosine
  int64_t weight_decay_samples = 0;  // over which it goes from start to end; Megatron: all samples of the run
};

// The batch grows from `start` by `increment` until `samples` samples are consumed.
struct RampupPlan {
  int64_t start = 0;  // 0 = the batch is constant
  int64_t increment = 0;
  int64_t samples = 0;
};

struct BatchPlan {
  int64_t micro = 1;          // samples per rank and forward
  int64_t global = 1;         // samples per step over all ranks
  int64_t sequence = 0;       // tokens per sample
  int64_t steps = 0;          // optimizer steps of the whole run
  int64_t micro_batches = 1;  // global / (micro * dp)
  int64_t train_samples = 0;  // samples of the whole run when it is counted in them (--train-samples), else 0
  RampupPlan rampup = {};     // see batch_schedule.h
};

// How a --data-path that is text becomes tokens when the run starts (data/prepare/raw_text.h).
struct RawTextPlan {
  std::string key = "text";
  bool append_eod = false;
  int workers = 1;
  bool skip_errors = false;  // bad records are counted and left out
};

struct DataPlan {
  bool mock = false;               // synthetic tokens, no files
  std::vector<std::string> paths;  // .bin/.idx prefixes, or text
  RawTextPlan raw;
  std::vector<double> weights;  // one per path, or empty: the shares are the sizes
  std::string split = "969,30,1";
  std::string cache_path;
  std::string tokenizer;  // folder with tokenizer.json, or a .gguf file; empty with mock data
  int64_t eod = -1;       // id of the end-of-document token, -1 = none known
  bool eod_mask_loss = false;
  bool reset_position_ids = false;
  bool reset_attention_mask = false;
  std::string dataloader = "single";  // single | cyclic
};

struct CheckpointPlan {
  std::string save, load;  // folders; empty = none
  int64_t save_interval = 0;
  int keep_last = 0;        // 0 = keep all
  bool background = false;  // --async-save: training goes on while a checkpoint is written
  bool finetune = false;    // weights only, counters restart
  bool load_optimizer = true, load_rng = true;
  bool save_optimizer = true;
  bool exit_on_missing = false;
  bool override_schedule = false;        // --override-opt_param-scheduler
  bool use_checkpoint_schedule = false;  // --use-checkpoint-opt_param-scheduler
  std::string export_hf;                 // write a Hugging Face folder here at the end; empty = no
};

struct LogPlan {
  int64_t interval = 1;
  bool throughput = false;
  bool params_norm = false;
  std::string tensorboard_dir, jsonl, curve_svg;
  bool progress = true;  // live line when stderr is a terminal
};

struct EvalPlan {
  int64_t interval = 0;  // steps, 0 = never
  int64_t iterations = 0;
};

enum class Recompute { none, full, selective };
struct RecomputePlan {
  Recompute granularity = Recompute::none;
  std::string method = "uniform";  // uniform | block
  int64_t layers = 1;              // uniform: layers per group; block: layers recomputed per stage
};

enum class NonFinite { stop, skip };
struct RunPlan {
  uint64_t seed = 1234;
  bool deterministic = true;
  bool skip_train = false;  // evaluate only
  NonFinite non_finite = NonFinite::stop;
  int64_t max_skips = 10;        // consecutive skipped steps before the run stops
  int64_t exit_interval = 0;     // stop at multiples of this step
  double exit_minutes = 0;       // stop after this time
  int threads = 0;               // per rank, 0 = cores / local ranks
  int64_t timeout_minutes = 30;  // how long a rank waits for another
};

struct Plan {
  ModelSpec model;
  std::vector<ParameterSpec> parameters;  // parameter_table(model, mesh.sequence_parallel)
  int64_t padded_vocab = 0;               // rows of the embedding in this layout
  std::string weights;                    // Hugging Face folder or .gguf to start from; empty = random init
  std::string model_dir;  // where config.json and tokenizer files to export come from; may be empty
  MeshDegrees mesh;
  std::vector<StageSlice> placement;  // ordered by (stage, chunk)
  std::string schedule = "1f1b";
  PrecisionPlan precision;
  OptimizerPlan optimizer;
  LrPlan lr;
  BatchPlan batch;
  DataPlan data;
  CheckpointPlan checkpoint;
  LogPlan log;
  EvalPlan eval;
  RecomputePlan recompute;
  RunPlan run;
  std::map<std::string, std::string>
      resolved;  // every field of the table with its final value, for the record
};

}  // namespace mindspeed
