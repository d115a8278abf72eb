#include "engine/train/loop.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <optional>

#include "engine/train/export_weights.h"
#include "engine/train/log/train_log.h"
#include "engine/train/pretrain.h"
#include "engine/train/resume.h"
#include "engine/train/stop_signal.h"
#include "front/base/log.h"

namespace mindspeed {
namespace {

using Clock = std::chrono::steady_clock;

// Loop state that is not part of the run itself.
class Loop {
 public:
  Loop(TrainingRun& run, TrainLog& log) : run_(run), log_(log), start_(Clock::now()) {
    // What was just loaded from the folder need not be written to it again.
    if (run.plan.checkpoint.load == run.plan.checkpoint.save && run.counters.iteration > 0)
      saved_ = run.counters.iteration;
    // A run that was over has had its last evaluation.
    if (run.counters.iteration >= run.plan.batch.steps && !run.plan.run.skip_train)
      evaluated_ = run.counters.iteration;
    // Evaluation alone reads the same samples whatever was loaded, so that its results compare.
    if (run.plan.run.skip_train) run_.counters.consumed_valid_samples = 0;
  }

  RunEnd run() {
    std::optional<RunEnd> end;
    while (!end && !run_.plan.run.skip_train && run_.counters.iteration < run_.plan.batch.steps) {
      const StepReport report = train_step(run_);
      const bool with_norm = run_.plan.log.params_norm && report.iteration % run_.plan.log.interval == 0;
      if (run_.saver && run_.saver->advance()) say_saved();
      log_.step(report, with_norm ? parameters_norm(run_) : -1.0);
      if (due(run_.plan.eval.interval)) evaluate_now();
      if (due(run_.plan.checkpoint.save_interval)) save_now();
      end = stop_request();
    }
    log_.finish();
    if (!end) evaluate_now();
    if (!end && anywhere(StopSignal::received() != 0)) end = RunEnd::signal;
    save_now();
    complete_save();
    return end.value_or(RunEnd::finished);
  }

 private:
  bool due(int64_t interval) const { return interval > 0 && run_.counters.iteration % interval == 0; }

  void evaluate_now() {
    if (run_.plan.eval.iterations <= 0 || run_.plan.eval.interval <= 0 ||
        evaluated_ == run_.counters.iteration)
      return;
    if (!run_.objective->has(Split::valid)) return;
    evaluated_ = run_.counters.iteration;
    const auto stop = [this] { return anywhere(StopSignal::received() != 0); };
    if (const std::optional<double> loss = evaluate(run_, stop))
      log_.evaluation(run_.counters.iteration, *loss);
    log_.reset_clock();
  }

  void save_now() {
    const std::string& folder = run_.plan.checkpoint.save;
    const bool changed = !run_.plan.run.skip_train && saved_ != run_.counters.iteration;
    if (!folder.empty() && run_.counters.iteration > 0 && changed) {
      complete_save();
      saved_ = run_.counters.iteration;
      log_.line(fmt::format("saving checkpoint at iteration {:7d} to {} in native format", saved_, folder));
      save_run(run_);
      if (!run_.saver->under_way()) say_saved();
    }
    log_.flush();
    log_.reset_clock();
  }

  void complete_save() {
    if (!run_.saver || !run_.saver->under_way()) return;
    run_.saver->finish();
    say_saved();
  }

  void say_saved() {
    std::string text = fmt::format("  successfully saved checkpoint from iteration {:7d} to {}", saved_,
                                   run_.plan.checkpoint.save);
    if (run_.plan.checkpoint.background)
      text += fmt::format(" in the background (held training up for {:.1f} ms)",
                          run_.saver->stalled_seconds() * 1e3);
    log_.line(text);
  }

  // True on all ranks if it is on one. Collective.
  bool anywhere(bool here) const {
    at::Tensor flag = at::full({1}, here ? 1.0 : 0.0, at::kDouble);
    run_.mesh.world->all_reduce(flag, ReduceOp::max);
    return flag.item<double>() > 0;
  }

  // The reason to stop now, the same on all ranks: a signal may have reached only some, and clocks differ.
  std::optional<RunEnd> stop_request() {
    const double minutes = std::chrono::duration<double>(Clock::now() - start_).count() / 60.0;
    const bool overdue = run_.plan.run.exit_minutes > 0 && minutes >= run_.plan.run.exit_minutes;
    if (anywhere(StopSignal::received() != 0)) return RunEnd::signal;
    if (anywhere(overdue)) return RunEnd::exit_duration;
    if (due(run_.plan.run.exit_interval)) return RunEnd::exit_interval;
    return std::nullopt;
  }

  TrainingRun& run_;
  TrainLog& log_;
  Clock::time_point start_;
  int64_t evaluated_ = -1, saved_ = -1;
};

void report_start(TrainingRun& run, TrainLog& log, const std::string& origin) {
  int64_t mine = 0;
  for (const Parameter* p : run.model.store().parameters()) mine += p->value.numel();
  log.line("building GPT model ...");
  log.line(fmt::format(" > number of parameters on (tensor, pipeline) model parallel rank ({}, {}): {}",
                       run.mesh.tp_rank, run.mesh.pp_rank, mine));
  log.line(fmt::format(" > threads per rank: {}", at::get_num_threads()));
  log.line(origin);
  log.stamp("after model, optimizer, and learning rate scheduler are built");
  log.line("> building train, validation, and test datasets ...");
  log.stamp("after dataloaders are built");
  log.line("done with setup ...\ntraining ...");
  log.line(theoretical_report(run.plan));
  log.stamp("before the start of training step");
}

void say_end(const TrainingRun& run, TrainLog& log, RunEnd end) {
  const std::string& save = run.plan.checkpoint.save;
  const std::string where = save.empty() ? "nothing was saved (no --save)" : "the state is saved in " + save;
  const int64_t n = run.counters.iteration;
  switch (end) {
    case RunEnd::signal:
      log.line(fmt::format("exiting program after receiving {} at iteration {}; {}",
                           StopSignal::received() == SIGINT ? "SIGINT" : "SIGTERM", n, where));
      break;
    case RunEnd::exit_duration:
      log.line(fmt::format("exiting program after the set time at iteration {}; {}", n, where));
      break;
    case RunEnd::exit_interval:
      log.line(fmt::format("exiting program at iteration {}; {}", n, where));
      break;
    case RunEnd::finished:
      log.stamp("after training is done");
      break;
  }
}

}  // namespace

RunEnd train_loop(TrainingRun& run, const LoopOptions& options) {
  const StopSignal signals;
  std::optional<FolderClaim> claim;
  if (run.mesh.rank == 0 && !run.plan.checkpoint.save.empty()) {
    check_save_folder(run.plan.checkpoint);
    claim.emplace(run.plan.checkpoint.save);
  }
  if (run.mesh.rank == 0 && !run.plan.checkpoint.export_hf.empty())
    check_writable(run.plan.checkpoint.export_hf);
  const std::string origin = begin_run(run);
  TrainLog log(run.plan, run.mesh, run.counters.iteration, options.terminal);
  report_start(run, log, origin);
  if (run.counters.iteration >= run.plan.batch.steps && !run.plan.run.skip_train)
    log.line(fmt::format("all {} steps were done before; nothing is left to train", run.plan.batch.steps));
  log.reset_clock();
  const RunEnd end = Loop(run, log).run();
  if (end == RunEnd::finished && !run.plan.checkpoint.export_hf.empty()) {
    export_weights(run);
    log.line(fmt::format("exported the model in Hugging Face format to {}", run.plan.checkpoint.export_hf));
  }
  say_end(run, log, end);
  return end;
}

int pretrain(const Plan& plan, const Mesh& mesh, const LoopOptions& options) {
  TrainingRun run(plan, mesh, std::make_unique<PretrainObjective>(plan, mesh));
  train_loop(run, options);
  return 0;
}

}  // namespace mindspeed
