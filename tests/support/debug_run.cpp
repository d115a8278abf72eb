#include "tests/support/debug_run.h"

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>

#include "engine/train/pretrain.h"
#include "engine/train/resume.h"
#include "front/models/registry.h"
#include "tests/support/golden_model.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

class Touched final : public Objective {
 public:
  Touched(const Plan& plan, const Mesh& mesh, std::function<void(int64_t, StepContext&)> touch)
      : inner_(plan, mesh), touch_(std::move(touch)) {}
  void begin(Split split, int64_t consumed) override { inner_.begin(split, consumed); }
  int64_t supervised_tokens() const override { return inner_.supervised_tokens(); }
  StepContext micro_batch(int64_t k) override {
    StepContext context = inner_.micro_batch(k);
    touch_(k, context);
    return context;
  }
  bool has(Split split) const override { return inner_.has(split); }

 private:
  PretrainObjective inner_;
  std::function<void(int64_t, StepContext&)> touch_;
};

}  // namespace

Plan debug_plan(const MeshDegrees& mesh) {
  at::set_num_threads(1);
  Plan plan = plan_for(models::model_from_config(models::preset_config("debug"), "debug"), mesh);
  plan.batch = {.micro = 2, .global = 6, .sequence = 32, .steps = 20, .micro_batches = 3};
  plan.lr.style = "cosine";
  plan.lr.lr = 3e-3;
  plan.lr.min_lr = 3e-4;
  plan.lr.warmup_samples = 12;
  plan.lr.decay_samples = 120;
  plan.data.mock = true;
  plan.log.interval = 1000;
  plan.log.progress = false;
  return plan;
}

Plan debug_plan_on_files() {
  Plan plan = debug_plan();
  ModelSpec model = plan.model;
  model.vocab = 1024;
  model.hidden_dropout = 0.1;
  for (LayerSpec& layer : model.layers)
    for (BranchSpec& branch : layer.branches)
      if (auto* attention = std::get_if<AttentionSpec>(&branch.op)) attention->dropout = 0.1;
  plan.model = model;
  plan.parameters = parameter_table(model);
  plan.padded_vocab = model.vocab;
  plan.data.mock = false;
  plan.data.paths = {golden_dir() + "/megatron/gpt_dataset/set_a"};
  plan.data.split = "100,0,0";
  return plan;
}

Snapshot snapshot(TrainingRun& run) {
  Snapshot all;
  for (const Parameter* p : run.model.store().parameters())
    all["model/" + p->spec.name] = p->value.detach().clone();
  for (const OptimState& state : run.optimizer.states())
    all[state.group + "/" + run.optimizer.ranges()[state.range].name] = state.tensor.clone();
  return all;
}

bool equal(const Snapshot& a, const Snapshot& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, tensor] : a)
    if (!b.contains(name) || !at::equal(tensor, b.at(name))) return false;
  return true;
}

std::unique_ptr<Objective> touched_objective(const Plan& plan, const Mesh& mesh,
                                             std::function<void(int64_t, StepContext&)> touch) {
  return std::make_unique<Touched>(plan, mesh, std::move(touch));
}

std::unique_ptr<TrainingRun> begin(const Plan& plan) {
  const Mesh mesh = single_mesh();
  auto run = std::make_unique<TrainingRun>(plan, mesh, std::make_unique<PretrainObjective>(plan, mesh));
  begin_run(*run);
  return run;
}

}  // namespace mindspeed::test
