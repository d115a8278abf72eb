#include "engine/train/resume.h"

#include <map>

#include "engine/train/records.h"
#include "front/base/error.h"
#include "front/base/log.h"
#include "front/convert/open.h"

namespace mindspeed {
namespace {

std::vector<StatePiece> optimizer_pieces(TrainingRun& run) {
  std::map<std::string, const Parameter*> by_name;
  for (const Parameter* p : run.model.store().parameters()) by_name[p->spec.name] = p;
  std::vector<StatePiece> pieces;
  for (const OptimState& state : run.optimizer.states()) {
    const OptimRange& range = run.optimizer.ranges()[state.range];
    const Parameter& parameter = *by_name.at(range.name);
    const bool saved = speaks_for(parameter, run.mesh) && (run.sharded() || run.mesh.dp_rank == 0);
    add_pieces(pieces, state.group, parameter, range.offset, state.tensor, saved);
  }
  return pieces;
}

CheckpointState state_of(const TrainingRun& run) {
  CheckpointState state;
  state.iteration = run.counters.iteration;
  state.consumed_samples = run.counters.consumed_samples;
  state.consumed_valid_samples = run.counters.consumed_valid_samples;
  state.skipped_steps = run.counters.skipped_steps;
  state.skipped_samples = run.counters.skipped_samples;
  state.optimizer_steps = run.optimizer.steps();
  state.loss_scaler = loss_scaler_record(run.scaler);
  state.seed = run.plan.run.seed;
  state.schedule = schedule_record(run.plan.lr);
  state.data = data_record(run.plan);
  state.layout = layout_record(run.plan);
  state.machine = machine_record();
  state.config = run.plan.resolved;
  return state;
}

// The checkpoint that all ranks agree on, or nothing. Collective.
std::optional<fs::path> agreed_checkpoint(const TrainingRun& run) {
  if (run.plan.checkpoint.load.empty()) return std::nullopt;
  const auto folder = checkpoint_to_load(run.plan.checkpoint.load);
  const double mine =
      folder ? static_cast<double>(CheckpointReader(*folder).metadata().state.iteration) : -1.0;
  at::Tensor range = at::tensor({mine, -mine}, at::kDouble);
  run.mesh.world->all_reduce(range, ReduceOp::max);
  if (range[0].item<double>() != -range[1].item<double>())
    fail("load", "the ranks see different checkpoints in {}; the folder must be one that all machines share",
         run.plan.checkpoint.load);
  return folder;
}

std::string resume(TrainingRun& run, const fs::path& folder) {
  const CheckpointReader reader(folder);
  const CheckpointState& saved = reader.metadata().state;
  const CheckpointPlan& choice = run.plan.checkpoint;
  check_same_model(reader, run.plan.parameters);
  std::vector<StatePiece> pieces = model_pieces(run.model.store().parameters(), run.mesh);
  if (choice.load_optimizer && !choice.finetune)
    for (StatePiece& piece : optimizer_pieces(run)) pieces.push_back(std::move(piece));
  load_pieces(reader, pieces);
  if (choice.load_optimizer && !choice.finetune) {
    run.optimizer.set_steps(saved.optimizer_steps);
    run.optimizer.publish_masters();
    if (run.scaler.dynamic() && !saved.loss_scaler.empty())
      run.scaler.set_state(loss_scale_from_record(saved.loss_scaler));
  } else {
    run.optimizer.adopt_values();
  }
  if (choice.finetune)
    return fmt::format("weights of {} (iteration {}); counters restart", folder.string(), saved.iteration);
  if (!run.plan.run.skip_train) run.plan.lr = choose_schedule(run.plan.lr, saved.schedule, choice);
  run.counters = {saved.iteration,     saved.consumed_samples, saved.consumed_valid_samples,
                  saved.skipped_steps, saved.skipped_samples,  0};
  if (const std::string changed = differences(saved.data, data_record(run.plan)); !changed.empty())
    log_warning("resume: the saved position in the data refers to other settings ({})", changed);
  if (const std::string changed = changed_settings(saved.config, run.plan.resolved); !changed.empty())
    log_info("resume: settings that are not those of the save: {}", changed);
  std::string changed = differences(saved.layout, layout_record(run.plan));
  if (const std::string machine = differences(saved.machine, machine_record()); !machine.empty())
    changed += (changed.empty() ? "" : ", ") + machine;
  if (!changed.empty())
    log_info("resume: {}; the run continues, but not bit for bit as it would have", changed);
  return fmt::format("  successfully loaded checkpoint from {} at iteration {}", folder.string(),
                     saved.iteration);
}

}  // namespace

LrPlan choose_schedule(const LrPlan& now, const TextMap& saved, const CheckpointPlan& choice) {
  // Through the plan and back: what has no effect with the saved style is no difference.
  const std::string changed = differences(schedule_record(schedule_from_record(saved)), schedule_record(now));
  if (changed.empty() || choice.override_schedule) return now;
  if (choice.use_checkpoint_schedule) return schedule_from_record(saved);
  refuse("resume",
         "the learning-rate schedule is not the saved one ({}); pass --override-opt_param-scheduler to use "
         "the new one or "
         "--use-checkpoint-opt_param-scheduler to keep the saved one",
         changed);
}

void check_save_folder(const CheckpointPlan& plan) {
  check_writable(plan.save);
  const std::vector<int64_t> complete = complete_checkpoints(plan.save);
  if (complete.empty()) return;
  const fs::path save = fs::weakly_canonical(plan.save), load = fs::weakly_canonical(plan.load);
  const bool continues = !plan.load.empty() && !plan.finetune && (load == save || load.parent_path() == save);
  if (!continues)
    refuse(
        "--save",
        "{} holds the checkpoints of another run (up to iteration {}); add --load {} to continue it, or name "
        "another folder",
        plan.save, complete.back(), plan.save);
}

std::string begin_run(TrainingRun& run) {
  if (const auto folder = agreed_checkpoint(run)) return resume(run, *folder);
  if (!run.plan.checkpoint.load.empty() && run.plan.checkpoint.exit_on_missing)
    refuse("load", "{} holds no complete checkpoint (--exit-on-missing-checkpoint)",
           run.plan.checkpoint.load);
  std::string text;
  if (!run.plan.weights.empty()) {
    run.model.load(*open_weights(run.plan.weights, run.plan.model, run.plan.parameters));
    text = fmt::format("weights of {}", run.plan.weights);
  } else {
    run.model.initialise(run.plan.run.seed);
    text = fmt::format("random weights (seed {})", run.plan.run.seed);
  }
  run.optimizer.adopt_values();
  return text;
}

void save_run(TrainingRun& run) {
  std::vector<StatePiece> pieces = model_pieces(run.model.store().parameters(), run.mesh);
  if (run.plan.checkpoint.save_optimizer)
    for (StatePiece& piece : optimizer_pieces(run)) pieces.push_back(std::move(piece));
  run.saver->start(state_of(run), pieces);
}

}  // namespace mindspeed
