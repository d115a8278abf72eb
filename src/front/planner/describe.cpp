#include "front/planner/describe.h"

#include <fmt/format.h>

#include <variant>

#include "front/base/text.h"

namespace mindspeed {
namespace {

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("  {:<12} {}\n", name, text);
}

// 135,000,000 -> "135.0 M".
std::string count_text(int64_t n) {
  const auto value = static_cast<double>(n);
  if (n >= 1'000'000'000) return fmt::format("{:.2f} billion", value / 1e9);
  if (n >= 1'000'000) return fmt::format("{:.1f} million", value / 1e6);
  return fmt::format("{}", n);
}

std::string model_text(const Plan& plan) {
  const ModelSpec& model = plan.model;
  std::string text = fmt::format("{}: {} layers, hidden {}, vocabulary {} (padded to {})", model.family,
                                 model.layers.size(), model.hidden, model.vocab, plan.padded_vocab);
  for (const BranchSpec& branch : model.layers.front().branches) {
    if (const auto* a = std::get_if<AttentionSpec>(&branch.op))
      text += fmt::format(", {} heads ({} key/value) x {}", a->heads, a->kv_heads, a->head_dim);
    if (const auto* d = std::get_if<DenseSpec>(&branch.op)) text += fmt::format(", feed-forward {}", d->ffn);
  }
  return text + (model.head.tied ? ", tied head" : ", own head");
}

std::string placement_text(const Plan& plan) {
  std::vector<std::string> parts;
  for (const StageSlice& slice : plan.placement)
    parts.push_back(fmt::format("stage {}: {}layers {}-{}{}", slice.stage,
                                slice.embedding ? "embedding, " : "", slice.first_layer,
                                slice.first_layer + slice.layers - 1, slice.head ? ", head" : ""));
  return join(parts, "; ");
}

std::string optimizer_text(const Plan& plan) {
  const OptimizerPlan& o = plan.optimizer;
  const std::string rule = o.kind == "adamw"
                               ? fmt::format("adamw beta {} {}, eps {}", o.beta1, o.beta2, o.eps)
                               : fmt::format("sgd momentum {}", o.momentum);
  return fmt::format("{}, weight decay {} to {}, clip {}{}", rule, plan.lr.start_weight_decay,
                     plan.lr.end_weight_decay, o.clip_grad,
                     o.sharded ? ", state cut over data-parallel ranks" : "");
}

std::string data_text(const Plan& plan) {
  if (plan.data.mock) return "synthetic tokens";
  return fmt::format("{}, split {}", join(plan.data.paths, " "), plan.data.split);
}

std::string recompute_text(const Plan& plan) {
  if (plan.recompute.granularity == Recompute::none) return "off";
  return fmt::format("full, {} {}", plan.recompute.method, plan.recompute.layers);
}

std::string precision_text(const PrecisionPlan& precision) {
  std::string out(display_name(precision.parameters));
  if (precision.parameters != DType::f32) out += " with fp32 master weights";
  const LossScalePlan& scale = precision.loss_scale;
  if (scale.dynamic)
    return out + fmt::format(", loss scale from {} (at least {}, doubled after {} steps without overflow)",
                             scale.initial, scale.minimum, scale.window);
  return scale.initial == 1.0 ? out : out + fmt::format(", loss scale {}", scale.initial);
}

}  // namespace

std::string describe_memory(const std::vector<MemoryForecast>& memory) {
  std::string out = fmt::format("  {:<24}", "memory per rank");
  for (const MemoryForecast& stage : memory)
    out += fmt::format(" {:>12}", fmt::format("stage {}", stage.stage));
  out += "\n";
  for (size_t row = 0; row < memory.front().items.size(); ++row) {
    out += fmt::format("    {:<22}", memory.front().items[row].name);
    for (const MemoryForecast& stage : memory)
      out += fmt::format(" {:>12}", human_bytes(stage.items[row].bytes));
    out += "\n";
  }
  out += fmt::format("    {:<22}", "peak");
  for (const MemoryForecast& stage : memory) out += fmt::format(" {:>12}", human_bytes(stage.total()));
  return out + "\n";
}

std::string describe(const Planned& planned) {
  const Plan& plan = planned.plan;
  const MeshDegrees& mesh = plan.mesh;
  const BatchPlan& batch = plan.batch;
  std::string out = "Plan\n";
  out += line("model", model_text(plan));
  out += line("parameters", fmt::format("{} ({})", count_text(total_elements(plan.parameters)),
                                        total_elements(plan.parameters)));
  out += line("weights", plan.weights.empty() ? fmt::format("random, seed {}", plan.run.seed) : plan.weights);
  out += line("precision", precision_text(plan.precision));
  out += line("layout", fmt::format("{} ranks: tensor {}{} x pipeline {} x data {}", mesh.world(), mesh.tp,
                                    mesh.sequence_parallel ? " (sequence)" : "", mesh.pp, mesh.dp));
  out += line("placement", placement_text(plan));
  out += line("batch",
              fmt::format("{} sequences of {} tokens = {} micro-batches of {} x {} ranks; {} tokens per step",
                          batch.global, batch.sequence, batch.micro_batches, batch.micro, mesh.dp,
                          batch.global * batch.sequence));
  if (batch.rampup.start > 0)
    out += line("ramp", fmt::format("from {} by {} until {} samples are consumed", batch.rampup.start,
                                    batch.rampup.increment, batch.rampup.samples));
  out += line(
      "length",
      fmt::format("{} steps, {} tokens", batch.steps,
                  count_text((batch.rampup.start > 0 ? batch.train_samples : batch.steps * batch.global) *
                             batch.sequence)));
  out += line("rate", fmt::format("{} {} to {}, warm-up {} samples, decay over {} samples", plan.lr.style,
                                  plan.lr.lr, plan.lr.min_lr, plan.lr.warmup_samples, plan.lr.decay_samples));
  out += line("optimizer", optimizer_text(plan));
  out += line("recompute", recompute_text(plan));
  out += line("data", data_text(plan));
  if (!plan.checkpoint.save.empty()) out += line("save", plan.checkpoint.save);
  if (!plan.checkpoint.load.empty()) out += line("load", plan.checkpoint.load);
  if (!plan.checkpoint.export_hf.empty()) out += line("export", plan.checkpoint.export_hf);
  return out + describe_memory(planned.memory);
}

}  // namespace mindspeed
