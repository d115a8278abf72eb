#include "front/planner/io.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"
#include "front/config/values.h"
#include "front/convert/open_tokenizer.h"
#include "front/data/prepare/raw_text.h"
#include "front/data/preprocess.h"
#include "front/data/readers/record.h"

namespace mindspeed {
namespace {

// A prefix of .bin/.idx files that exist, or text that can be found.
void require_data(const std::string& path) {
  if (const std::string ending = fs::path(path).extension(); ending == ".bin" || ending == ".idx")
    refuse("--data-path", "{} came; the prefix without {} was needed", path, ending);
  if (is_raw_text(path)) {
    list_inputs(path);
    return;
  }
  for (const char* ending : {".bin", ".idx"})
    if (!fs::exists(path + ending))
      refuse("--data-path",
             "{}{} does not exist; the prefix of a .bin and an .idx file was needed, or text (.jsonl, .json, "
             ".txt, "
             ".csv, .parquet)",
             path, ending);
}

// How text is tokenised at start-up. Flags that need text must find some.
void plan_raw_text(const Settings& settings, DataPlan& data, std::vector<std::string>& notes) {
  const auto text = std::find_if(data.paths.begin(), data.paths.end(), is_raw_text);
  if (text == data.paths.end()) {
    for (const char* flag : {"append-eod", "json-keys", "workers", "on-error"})
      if (settings.given(flag))
        notes.push_back(fmt::format("--{}: no effect; every --data-path is tokenised already", flag));
    return;
  }
  require_pretrain_handler(settings.text("handler-name"));
  const std::vector<std::string> keys = settings.list("json-keys");
  if (keys.size() != 1)
    refuse("--json-keys",
           "{} keys came; a run trains on one: tokenise the others with `mindspeed preprocess`", keys.size());
  data.raw = {keys.front(), settings.flag("append-eod"), static_cast<int>(settings.integer("workers")),
              settings.text("on-error") == "skip"};
  if (data.tokenizer.empty())
    refuse("--tokenizer-name-or-path", "no tokenizer came; {} is text and must be tokenised", *text);
  for (const std::string& path : data.paths)
    if (is_raw_text(path))
      notes.push_back(fmt::format("--data-path: {} is tokenised with {} and kept in {}", path, data.tokenizer,
                                  raw_text_folder(path, data.cache_path).string()));
  if (!data.raw.append_eod)
    notes.emplace_back(
        "--append-eod is not given: documents follow each other without an end-of-document token");
}

// A guess from names alone: a checkpoint, or a folder with at least one. The engine checks what is in it.
bool holds_checkpoint(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    refuse("--load", "'{}' is a file; a folder of checkpoints was needed", folder.string());
  if (fs::exists(folder / "latest_checkpointed_iteration.txt") || fs::exists(folder / "metadata.json"))
    return true;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("iter_")) return true;
  return false;
}

// By name: with "." and "/" at the end or without.
bool same_folder(const fs::path& a, const fs::path& b) {
  return (a / "").lexically_normal() == (b / "").lexically_normal();
}

// "prefix", "prefix prefix ...", or "weight prefix weight prefix ...".
void read_blend(const std::vector<std::string>& words, DataPlan& data) {
  const bool weighted = words.size() > 1 && parse_real(words[0]).has_value();
  if (!weighted) {
    data.paths = words;  // several: each has the share of its size, as in Megatron
    return;
  }
  if (words.size() % 2 != 0)
    refuse("--data-path", "{} words came; pairs of weight and prefix were needed", words.size());
  for (size_t i = 0; i < words.size(); i += 2) {
    const auto weight = parse_real(words[i]);
    if (!weight || *weight < 0) refuse("--data-path", "'{}' came; a weight >= 0 was needed", words[i]);
    data.weights.push_back(*weight);
    data.paths.push_back(words[i + 1]);
  }
  if (std::all_of(data.weights.begin(), data.weights.end(), [](double weight) { return weight == 0; }))
    refuse("--data-path", "every weight is 0; at least one must be larger");
}

// Share of training, validation and test as numbers.
std::vector<double> read_split(const std::string& text) {
  std::vector<double> out;
  for (const std::string& part : split(text, ',')) {
    const auto share = parse_real(trim(part));
    if (!share || *share < 0)
      refuse("--split", "'{}' came; up to three numbers >= 0 were needed, as in 969,30,1", text);
    out.push_back(*share);
  }
  if (out.size() > 3 || out.empty() || out[0] == 0)
    refuse("--split", "'{}' came; up to three numbers >= 0 were needed, the first > 0, as in 969,30,1", text);
  out.resize(3, 0.0);
  return out;
}

std::string export_folder(const Settings& settings) {
  if (settings.given("export-hf")) return settings.text("export-hf");
  if (!settings.flag("enable-mg2hf-convert")) return "";
  if (settings.given("hf-save-dir")) return settings.text("hf-save-dir");
  if (!settings.given("save"))
    refuse("--enable-mg2hf-convert", "it came without a place; --hf-save-dir or --save was needed");
  return (fs::path(settings.text("save")) / "hf").string();
}

}  // namespace

std::string choose_tokenizer(const Settings& settings, const ModelChoice& model) {
  for (const char* flag : {"tokenizer-name-or-path", "tokenizer-model"}) {
    const std::string path = settings.text(flag);
    if (path.empty()) continue;
    if (!fs::exists(path))
      refuse(fmt::format("--{}", flag),
             "'{}' does not exist; a folder with tokenizer.json or a .gguf "
             "file was needed",
             path);
    return path;
  }
  const fs::path own(model.model_dir);
  if (has_tokenizer(own)) return model.model_dir;
  return "";
}

void plan_data(const Settings& settings, const ModelChoice& model, Plan& plan,
               std::vector<std::string>& notes) {
  DataPlan& data = plan.data;
  data.mock = settings.flag("mock-data");
  const std::vector<std::string> words = settings.list("data-path");
  if (data.mock == !words.empty())
    refuse("--data-path", "{} came; exactly one of --data-path and --mock-data was needed",
           data.mock ? "it and --mock-data" : "no data");
  data.split = settings.text("split");
  read_split(data.split);
  data.dataloader = settings.text("dataloader-type");
  data.cache_path = settings.text("data-cache-path");
  if (data.mock) return;
  read_blend(words, data);
  for (const std::string& path : data.paths) require_data(path);
  data.tokenizer = choose_tokenizer(settings, model);
  plan_raw_text(settings, data, notes);
  const bool needs_eod = data.eod_mask_loss || data.reset_position_ids || data.reset_attention_mask;
  if (needs_eod && data.tokenizer.empty())
    refuse("--tokenizer-name-or-path",
           "no tokenizer came; resets at the end of documents need its end-of-document token");
}

void plan_checkpoint(const Settings& settings, const ModelChoice& model, Plan& plan,
                     std::vector<std::string>& notes) {
  CheckpointPlan& checkpoint = plan.checkpoint;
  checkpoint.save = settings.text("save");
  checkpoint.load = model.load_is_weights ? "" : settings.text("load");
  checkpoint.save_interval = settings.integer_or("save-interval", 0);
  checkpoint.keep_last = static_cast<int>(settings.integer("keep-last"));
  checkpoint.background = settings.flag("async-save");
  if (checkpoint.background && checkpoint.save.empty()) refuse("--async-save", "it came without --save");
  checkpoint.finetune = settings.flag("finetune");
  checkpoint.load_optimizer = !settings.flag("no-load-optim") && !checkpoint.finetune;
  checkpoint.load_rng = !settings.flag("no-load-rng") && !checkpoint.finetune;
  checkpoint.save_optimizer = !settings.flag("no-save-optim");
  checkpoint.exit_on_missing = settings.flag("exit-on-missing-checkpoint");
  checkpoint.override_schedule = settings.flag("override-opt_param-scheduler");
  checkpoint.use_checkpoint_schedule = settings.flag("use-checkpoint-opt_param-scheduler");
  checkpoint.export_hf = export_folder(settings);
  if (checkpoint.override_schedule && checkpoint.use_checkpoint_schedule)
    refuse("--override-opt_param-scheduler",
           "it came with --use-checkpoint-opt_param-scheduler; they contradict each other");
  if (checkpoint.keep_last > 0 && checkpoint.save.empty()) refuse("--keep-last", "it came without --save");
  if (settings.given("save-interval") && checkpoint.save.empty())
    notes.emplace_back("--save-interval: nothing is saved, because --save is not given");
  if (!checkpoint.export_hf.empty() && !model.model_dir.empty() &&
      same_folder(checkpoint.export_hf, model.model_dir))
    refuse("--export-hf", "'{}' is the folder that the model is read from; another one was needed",
           checkpoint.export_hf);
  if (checkpoint.load.empty() || holds_checkpoint(checkpoint.load)) return;
  if (checkpoint.exit_on_missing)
    refuse(
        "--load",
        "'{}' holds no complete checkpoint (latest_checkpointed_iteration.txt); --exit-on-missing-checkpoint "
        "stops here",
        checkpoint.load);
  // A new run names its own folder for both; any other folder was meant to hold something.
  if (!same_folder(checkpoint.load, checkpoint.save))
    refuse(
        "--load",
        "'{}' holds no complete checkpoint; correct the path, or leave --load out to start with {} weights",
        checkpoint.load, plan.weights.empty() ? "random" : "the model's");
  notes.push_back(fmt::format("--load: '{}' holds no checkpoint yet; starting with {} weights",
                              checkpoint.load, plan.weights.empty() ? "random" : "the model's"));
}

int thread_count(const Settings& settings) {
  const int64_t threads = settings.integer("threads");
  const auto cores = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  if (threads > 4 * cores)
    refuse("--threads", "{} came; this machine has {} cores, at most {} threads make sense", threads, cores,
           4 * cores);
  return static_cast<int>(threads);
}

void plan_run(const Settings& settings, Plan& plan) {
  plan.log.interval = settings.integer("log-interval");
  plan.log.throughput = settings.flag("log-throughput");
  plan.log.params_norm = settings.flag("log-params-norm");
  plan.log.tensorboard_dir = settings.text("tensorboard-dir");
  plan.log.jsonl = settings.text("log-jsonl");
  plan.log.curve_svg = settings.text("loss-curve");
  plan.log.progress = !settings.flag("no-progress");
  plan.eval.iterations = settings.integer("eval-iters");
  const bool evaluates = plan.eval.iterations > 0 && (plan.data.mock || read_split(plan.data.split)[1] > 0);
  plan.eval.interval = evaluates ? settings.integer("eval-interval") : 0;
  plan.run.skip_train = settings.flag("skip-train");
  if (plan.run.skip_train && !evaluates)
    refuse("--skip-train", "nothing is left to do: --eval-iters is 0 or --split gives validation no share");
  plan.run.seed = static_cast<uint64_t>(settings.integer("seed"));
  plan.run.non_finite = settings.text("on-non-finite") == "skip" ? NonFinite::skip : NonFinite::stop;
  plan.run.max_skips = settings.integer("max-skips");
  plan.run.exit_interval = settings.integer_or("exit-interval", 0);
  plan.run.exit_minutes = settings.real_or("exit-duration-in-mins", 0);
  plan.run.threads = thread_count(settings);
  plan.run.timeout_minutes = settings.integer("distributed-timeout-minutes");
}

}  // namespace mindspeed
