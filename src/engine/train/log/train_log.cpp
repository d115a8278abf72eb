#include "engine/train/log/train_log.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "engine/train/log/flops.h"
#include "engine/train/log/process_memory.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&time, &local);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string interval_line(const Plan& plan, const IntervalLine& l, const std::string& time) {
  const StepReport& r = l.last;
  std::string out = fmt::format(" [{}] iteration {:8d}/{:8d} | consumed samples: {:12d} |", time, r.iteration,
                                plan.batch.steps, r.consumed_samples);
  out += fmt::format(" elapsed time per iteration (ms): {:.1f} |", l.milliseconds);
  if (plan.log.throughput) {
    const StepFlops flops = step_flops(plan.model, r.global_batch, plan.batch.sequence, r.attended);
    out += fmt::format(" throughput per GPU (TFLOP/s/GPU): {:.1f} | core attn ratio (%): {:.1f} |",
                       flops.total / (l.milliseconds * 1e9 * plan.mesh.world()),
                       100.0 * flops.core_attention / flops.total);
  }
  out += fmt::format(" learning rate: {:.6E} | global batch size: {:5d} |", r.next_learning_rate,
                     r.global_batch);
  if (l.skipped < l.steps) out += fmt::format(" lm loss: {:.6E} |", l.mean_loss);
  out += fmt::format(" loss scale: {:.1f} | grad norm: {:.3f} |", r.loss_scale, r.gradient_norm);
  if (l.parameters_norm >= 0) out += fmt::format(" params norm: {:.3f} |", l.parameters_norm);
  out += fmt::format(" number of skipped iterations: {:3d} | number of nan iterations: {:3d} |", l.skipped,
                     l.not_finite);
  const double tokens = static_cast<double>(r.global_batch * plan.batch.sequence);
  return out + fmt::format(" tokens/s: {:.1f} | memory (MB): {:.1f} |", tokens / l.milliseconds * 1000.0,
                           r.resident_mb);
}

std::string evaluation_lines(int64_t iteration, double loss) {
  const std::string text =
      fmt::format(" validation loss at iteration {} | lm loss value: {:.6E} | lm loss PPL: {:.6E} | ",
                  iteration, loss, std::exp(std::min(20.0, loss)));
  const std::string dashes(text.size() + 1, '-');
  return dashes + "\n" + text + "\n" + dashes;
}

std::string theoretical_report(const Plan& plan) {
  double layers = 0, edges = 0;
  std::vector<double> shards(static_cast<size_t>(plan.mesh.pp), 0.0);
  for (const ParameterSpec& p : plan.parameters) {
    if (!p.tied_to.empty() && plan.mesh.pp == 1) continue;
    const auto count = static_cast<double>(p.elements());
    if (p.tied_to.empty()) (p.layer >= 0 || !p.vocab_rows ? layers : edges) += count;
    for (const StageSlice& s : plan.placement) {
      const bool mine = p.layer == kEmbeddingLayer ? s.embedding
                        : p.layer == kHeadLayer
                            ? s.head
                            : p.layer >= s.first_layer && p.layer < s.first_layer + s.layers;
      if (mine) shards[static_cast<size_t>(s.stage)] += p.tp_dim >= 0 ? count / plan.mesh.tp : count;
    }
  }
  const double most = *std::max_element(shards.begin(), shards.end());
  const double least = *std::min_element(shards.begin(), shards.end());
  // Bytes a parameter needs: value, fp32 gradient, and the optimizer's share (master copy unless fp32,
  // moments).
  const bool master = plan.precision.parameters != DType::f32;
  const double moments = plan.optimizer.kind == "sgd" ? (plan.optimizer.momentum != 0 ? 4 : 0) : 8;
  const double bytes =
      (master ? 2 : 4) + 4 + ((master ? 4 : 0) + moments) / (plan.optimizer.sharded ? plan.mesh.dp : 1);
  std::string out = fmt::format(
      "Number of parameters in transformer block in billions:  {:.2f}\nNumber of parameters in embedding "
      "layers in "
      "billions: {:.2f}\nTotal number of parameters in billions: {:.2f}\nNumber of parameters in most loaded "
      "shard in "
      "billions: {:.4f}\n",
      layers / 1e9, edges / 1e9, (layers + edges) / 1e9, most / 1e9);
  if (plan.mesh.pp > 1)
    out += fmt::format("Number of parameters in other shards in billions: {:.4f}\n", least / 1e9);
  return out + fmt::format("Theoretical memory footprints: weight and optimizer={:.2f} MB",
                           most * bytes / (1 << 20));
}

TrainLog::TrainLog(const Plan& plan, const Mesh& mesh, int64_t iteration, bool terminal)
    : plan_(plan), mesh_(mesh), terminal_(terminal && plan.log.progress && mesh.rank == 0) {
  if (mesh.rank == 0) history_ = std::make_unique<History>(plan.log, iteration);
  reset_clock();
}

TrainLog::~TrainLog() { clear_progress(); }

void TrainLog::reset_clock() {
  // The time of the steps so far in this interval is kept, the pause is not.
  const auto pause = Clock::now() - step_start_;
  if (interval_steps_ == 0)
    interval_start_ = Clock::now();
  else
    interval_start_ += pause;
  step_start_ = Clock::now();
}

void TrainLog::line(const std::string& text) {
  if (mesh_.rank != 0) return;
  clear_progress();
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void TrainLog::stamp(const std::string& what) { line(fmt::format("[{}] datetime: {} ", what, now())); }

void TrainLog::step(StepReport report, double parameters_norm) {
  report.milliseconds = milliseconds_since(step_start_);
  report.tokens_per_second =
      static_cast<double>(report.global_batch * plan_.batch.sequence) / report.milliseconds * 1000.0;
  report.resident_mb = process_memory().resident_mb;
  step_start_ = Clock::now();
  interval_steps_ += 1;
  interval_skipped_ += report.skipped ? 1 : 0;
  interval_not_finite_ += std::isfinite(report.loss) ? 0 : 1;
  if (!report.skipped) interval_loss_ += report.loss;
  if (history_) history_->step(report);
  show_progress(report);
  last_ = report;
  if (report.iteration % plan_.log.interval == 0) print_interval(parameters_norm);
}

void TrainLog::finish() {
  if (interval_steps_ > 0) print_interval(-1.0);
}

void TrainLog::print_interval(double parameters_norm) {
  IntervalLine interval;
  interval.last = last_;
  interval.mean_loss =
      interval_loss_ / static_cast<double>(std::max<int64_t>(1, interval_steps_ - interval_skipped_));
  interval.milliseconds = milliseconds_since(interval_start_) / static_cast<double>(interval_steps_);
  interval.steps = interval_steps_;
  interval.skipped = interval_skipped_;
  interval.not_finite = interval_not_finite_;
  interval.parameters_norm = parameters_norm;
  line(interval_line(plan_, interval, now()));
  if (!memory_shown_ && mesh_.dp_rank == 0) {
    clear_progress();
    const ProcessMemory memory = process_memory();
    fmt::print(
        "[Rank {}] (after {} iterations) memory (MB) | allocated: {:.1f} | max allocated: {:.1f} | reserved: "
        "{:.1f} | max reserved: {:.1f}\n",
        mesh_.rank, last_.iteration, memory.resident_mb, memory.peak_mb, memory.resident_mb, memory.peak_mb);
    std::fflush(stdout);
  }
  memory_shown_ = true;
  interval_steps_ = interval_skipped_ = interval_not_finite_ = 0;
  interval_loss_ = 0.0;
  interval_start_ = Clock::now();
}

void TrainLog::evaluation(int64_t iteration, double loss) {
  line(evaluation_lines(iteration, loss));
  if (history_) history_->evaluation(iteration, loss);
}

void TrainLog::flush() {
  if (history_) history_->flush();
}

void TrainLog::show_progress(const StepReport& r) {
  if (!terminal_) return;
  smooth_ms_ = smooth_ms_ == 0.0 ? r.milliseconds : 0.8 * smooth_ms_ + 0.2 * r.milliseconds;
  const double left = static_cast<double>(plan_.batch.steps - r.iteration) * smooth_ms_ / 1000.0;
  const double rate = static_cast<double>(r.global_batch * plan_.batch.sequence) / smooth_ms_ * 1000.0;
  fmt::print(stderr, "\r\x1b[Kstep {}/{} | loss {:.4f} | {:.0f} tok/s | ETA {}", r.iteration,
             plan_.batch.steps, r.loss, rate, human_seconds(left));
  std::fflush(stderr);
  progress_shown_ = true;
}

void TrainLog::clear_progress() {
  if (!progress_shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  progress_shown_ = false;
}

}  // namespace mindspeed
