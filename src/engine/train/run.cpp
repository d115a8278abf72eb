#include "engine/train/run.h"

#include <cmath>
#include <limits>

#include "engine/optim/gradient_norm.h"
#include "engine/optim/lr_schedule.h"
#include "front/base/error.h"
#include "front/base/log.h"
#include "front/plan/batch_schedule.h"

namespace mindspeed {
namespace {

// The first parameter, in table order over all ranks, whose gradient is not finite; empty if none is.
// Collective.
std::string first_bad_parameter(const TrainingRun& run) {
  const std::string mine = first_non_finite(run.optimizer.ranges());
  const std::vector<ParameterSpec>& table = run.plan.parameters;
  auto index = static_cast<double>(table.size());
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].name == mine) index = static_cast<double>(i);
  at::Tensor earliest = at::full({1}, -index, at::kDouble);
  run.mesh.world->all_reduce(earliest, ReduceOp::max);
  const auto first = static_cast<size_t>(-earliest.item<double>());
  return first < table.size() ? table[first].name : "";
}

void count_skip(RunCounters& counters, const StepReport& report) {
  counters.skipped_steps += 1;
  counters.skipped_samples += report.global_batch;
}

// Nothing has been changed yet: count the step as skipped, or stop the run.
void refuse_update(TrainingRun& run, const StepReport& report) {
  const std::string parameter = first_bad_parameter(run);
  const std::string what = fmt::format("step {}: loss {}, {}", report.iteration, report.loss,
                                       parameter.empty() ? std::string("all gradients are finite")
                                                         : "first gradient that is not finite: " + parameter);
  const bool stop = run.plan.run.non_finite == NonFinite::stop;
  if (!stop) {
    count_skip(run.counters, report);
    run.counters.consecutive_skips += 1;
  }
  const bool too_many = run.counters.consecutive_skips > run.plan.run.max_skips;
  if ((stop || too_many) && run.saver) run.saver->finish();  // what was saved before must not be lost
  if (stop)
    fail("train",
         "{}; no weight was changed; lower --lr, look at the data of this step, or pass --on-non-finite skip",
         what);
  if (too_many)
    fail("train", "{}; {} steps in a row were skipped (--max-skips {})", what, run.counters.consecutive_skips,
         run.plan.run.max_skips);
  log_warning("{}; the step is skipped", what);
}

}  // namespace

TrainingRun::TrainingRun(const Plan& p, const Mesh& m, std::unique_ptr<Objective> o)
    : plan(p),
      mesh(m),
      model(p, m),
      sync(model.store(), m, p.optimizer.sharded),
      optimizer(p.optimizer, sync.ranges()),
      scaler(p.precision.loss_scale),
      executor(model.stages(), p, m),
      objective(std::move(o)) {
  check_lr_plan(plan.lr);
  const CheckpointPlan& checkpoint = plan.checkpoint;
  if (!checkpoint.save.empty())
    saver.emplace(checkpoint.save, mesh, checkpoint.keep_last, checkpoint.background);
}

StepReport train_step(TrainingRun& run) {
  RunCounters& counters = run.counters;
  Objective& objective = *run.objective;
  StepReport report;
  report.iteration = counters.iteration + 1;
  report.global_batch = global_batch_at(run.plan.batch, counters.consumed_samples);
  report.learning_rate = learning_rate_at(run.plan.lr, run.schedule_samples());
  report.weight_decay = weight_decay_at(run.plan.lr, run.schedule_samples());

  // 1. Data and 2. normaliser: the samples of the step and how many of their tokens are supervised, over all
  // ranks.
  objective.begin(Split::train, counters.consumed_samples);
  report.supervised_tokens = objective.supervised_tokens();

  // 3. Forward and backward of every micro-batch; gradients, times the loss scale, accumulate in fp32.
  run.model.store().zero_gradients();
  const double scale = run.scaler.scale();
  double local_loss = 0.0;
  const auto context = [&](int64_t k) {
    StepContext c = objective.micro_batch(k);
    c.loss_scale = scale;
    return c;
  };
  run.executor.train(micro_batches_at(run.plan.batch, counters.consumed_samples),
                     {context, [&](int64_t, double loss) { local_loss += loss; }});
  report.loss = total_loss(local_loss, run.mesh);
  report.attended = objective.attended();

  // 4. Gradients become those of the global batch.
  run.sync.reduce();

  // 5. Finite on every rank? Then the clipping coefficient.
  const GradientNorm gradient = gradient_norm(run.optimizer.ranges(), run.mesh, run.sharded());
  report.gradient_norm = gradient.finite ? gradient.norm / scale : std::numeric_limits<double>::infinity();
  report.skipped = !gradient.finite || !std::isfinite(report.loss);
  if (!report.skipped) {
    // 6. Update, once the last state that is being saved has been copied.
    if (run.saver) run.saver->before_update();
    run.optimizer.step(report.learning_rate, report.weight_decay,
                       clip_coefficient(report.gradient_norm, run.plan.optimizer.clip_grad) / scale);
    run.sync.gather_values();
    run.scaler.finite_step();
    counters.consecutive_skips = 0;
  } else if (std::isfinite(report.loss) && run.scaler.overflow()) {
    count_skip(counters, report);
  } else {
    refuse_update(run, report);
  }
  report.loss_scale = run.scaler.scale();

  // 7. Where the run stands now.
  counters.iteration += 1;
  counters.consumed_samples += report.global_batch;
  report.consumed_samples = counters.consumed_samples;
  report.next_learning_rate = learning_rate_at(run.plan.lr, run.schedule_samples());
  return report;
}

std::optional<double> evaluate(TrainingRun& run, const std::function<bool()>& stop) {
  double sum = 0.0;
  const int64_t first = run.counters.consumed_valid_samples;
  run.counters.consumed_valid_samples += run.plan.eval.iterations * run.plan.batch.global;
  for (int64_t i = 0; i < run.plan.eval.iterations; ++i) {
    if (stop && stop()) return std::nullopt;
    run.objective->begin(Split::valid, first + i * run.plan.batch.global);
    double local_loss = 0.0;
    run.executor.evaluate(run.plan.batch.micro_batches,
                          {[&](int64_t k) { return run.objective->micro_batch(k); },
                           [&](int64_t, double loss) { local_loss += loss; }});
    sum += total_loss(local_loss, run.mesh);
  }
  return sum / static_cast<double>(run.plan.eval.iterations);
}

double parameters_norm(const TrainingRun& run) {
  std::vector<OptimRange> ranges = run.optimizer.ranges();
  for (OptimRange& range : ranges) range.gradient = range.value.to(at::kFloat);
  return gradient_norm(ranges, run.mesh, run.sharded()).norm;
}

}  // namespace mindspeed
