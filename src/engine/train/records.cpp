#include "engine/train/records.h"

#include <ATen/Parallel.h>

#include <set>
#include <string>
#include <vector>

#include "front/base/machine.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

std::string real(double value) { return fmt::format("{:.17g}", value); }

}  // namespace

TextMap data_record(const Plan& plan) {
  std::vector<std::string> weights;
  for (double weight : plan.data.weights) weights.push_back(real(weight));
  return {{"mock", plan.data.mock ? "yes" : "no"},
          {"paths", join(plan.data.paths, " ")},
          {"weights", join(weights, " ")},
          {"split", plan.data.split},
          {"dataloader", plan.data.dataloader},
          {"sequence", fmt::format("{}", plan.batch.sequence)},
          {"global_batch", fmt::format("{}", plan.batch.global)},
          {"seed", fmt::format("{}", plan.run.seed)}};
}

TextMap layout_record(const Plan& plan) {
  const MeshDegrees& m = plan.mesh;
  return {{"tp", fmt::format("{}", m.tp)},
          {"cp", fmt::format("{}", m.cp)},
          {"dp", fmt::format("{}", m.dp)},
          {"pp", fmt::format("{}", m.pp)},
          {"sequence_parallel", m.sequence_parallel ? "yes" : "no"},
          {"micro_batch", fmt::format("{}", plan.batch.micro)},
          {"sharded_optimizer", plan.optimizer.sharded ? "yes" : "no"},
          {"parameters", std::string(display_name(plan.precision.parameters))}};
}

TextMap machine_record() {
  return {{"isa", processor().isa}, {"threads", fmt::format("{}", at::get_num_threads())}};
}

std::string differences(const TextMap& saved, const TextMap& now) {
  std::vector<std::string> out;
  for (const auto& [key, value] : now) {
    const auto found = saved.find(key);
    const std::string before = found == saved.end() ? "(absent)" : found->second;
    if (before != value) out.push_back(fmt::format("{}: {} -> {}", key, before, value));
  }
  return join(out, ", ");
}

// Flags that differ from those of the save and may change what is trained; where files lie and how often
// something is reported or saved may differ freely, and what has a line of its own is left to it.
std::string changed_settings(const TextMap& saved, const TextMap& now) {
  static const std::set<std::string> free = {"save",
                                             "load",
                                             "save-interval",
                                             "keep-last",
                                             "export-hf",
                                             "log-interval",
                                             "log-jsonl",
                                             "loss-curve",
                                             "tensorboard-dir",
                                             "no-progress",
                                             "log-throughput",
                                             "log-params-norm",
                                             "eval-interval",
                                             "eval-iters",
                                             "exit-interval",
                                             "exit-duration-in-mins",
                                             "exit-on-missing-checkpoint",
                                             "skip-train",
                                             "threads",
                                             "train-iters",
                                             "data-path",
                                             "seed",
                                             "seq-length",
                                             "split",
                                             "micro-batch-size",
                                             "global-batch-size",
                                             "override-opt_param-scheduler",
                                             "use-checkpoint-opt_param-scheduler"};
  TextMap before, after;
  for (const auto& [key, value] : saved)
    if (!free.contains(key)) before[key] = value;
  for (const auto& [key, value] : now)
    if (!free.contains(key)) after[key] = value;
  for (const auto& [key, value] : before) after.emplace(key, "(absent)");
  return differences(before, after);
}

TextMap loss_scaler_record(const LossScaler& scaler) {
  if (!scaler.dynamic()) return {};
  const LossScale& s = scaler.state();
  return {{"scale", real(s.scale)},
          {"clean_steps", fmt::format("{}", s.clean_steps)},
          {"hysteresis", fmt::format("{}", s.hysteresis)}};
}

LossScale loss_scale_from_record(const TextMap& r) {
  return {std::stod(r.at("scale")), std::stoll(r.at("clean_steps")), std::stoll(r.at("hysteresis"))};
}

TextMap schedule_record(const LrPlan& p) {
  return {{"style", p.style},
          {"lr", real(p.lr)},
          {"min_lr", real(p.min_lr)},
          {"warmup_init", real(p.warmup_init)},
          {"warmup_samples", real(p.warmup_samples)},
          {"decay_samples", fmt::format("{}", p.style == "constant" ? 0 : p.decay_samples)},
          {"wsd_decay_samples", fmt::format("{}", p.wsd_decay_samples)},
          {"wsd_style", p.wsd_style},
          {"start_weight_decay", real(p.start_weight_decay)},
          {"end_weight_decay", real(p.end_weight_decay)},
          {"weight_decay_style", p.weight_decay_style},
          {"weight_decay_samples",
           fmt::format("{}", p.weight_decay_style == "constant" ? 0 : p.weight_decay_samples)}};
}

LrPlan schedule_from_record(const TextMap& r) {
  LrPlan p;
  p.style = r.at("style");
  p.lr = std::stod(r.at("lr"));
  p.min_lr = std::stod(r.at("min_lr"));
  p.warmup_init = std::stod(r.at("warmup_init"));
  p.warmup_samples = std::stod(r.at("warmup_samples"));
  p.decay_samples = std::stoll(r.at("decay_samples"));
  p.wsd_decay_samples = std::stoll(r.at("wsd_decay_samples"));
  p.wsd_style = r.at("wsd_style");
  p.start_weight_decay = std::stod(r.at("start_weight_decay"));
  p.end_weight_decay = std::stod(r.at("end_weight_decay"));
  p.weight_decay_style = r.at("weight_decay_style");
  p.weight_decay_samples = std::stoll(r.at("weight_decay_samples"));
  return p;
}

}  // namespace mindspeed
