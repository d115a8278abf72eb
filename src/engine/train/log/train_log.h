// What a run prints: the start-up report, a line per interval in MindSpeed's format, evaluations, and a live
// line on the terminal. Only rank 0 prints (memory lines: data-parallel rank 0 of every stage).
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "engine/comm/mesh.h"
#include "engine/train/log/history.h"
#include "engine/train/report.h"
#include "front/plan/plan.h"

namespace mindspeed {

// Field order and formats of Megatron's training_log with MindSpeed's additions, then tokens/s and resident
// memory.
struct IntervalLine {
  StepReport last;
  double mean_loss = 0.0;
  double milliseconds = 0.0;  // per iteration
  int64_t steps = 1;          // in the interval
  int64_t skipped = 0, not_finite = 0;
  double parameters_norm = -1.0;  // negative = not asked for
};
std::string interval_line(const Plan& plan, const IntervalLine& line, const std::string& time);

// " validation loss at iteration N | lm loss value: ... | lm loss PPL: ... | " framed by dashes.
std::string evaluation_lines(int64_t iteration, double loss);

// Counts and sizes before the first step: parameters in layers and embedding, most loaded shard, weights +
// optimizer.
std::string theoretical_report(const Plan& plan);

class TrainLog {
 public:
  // `terminal`: stderr shows a live line.
  TrainLog(const Plan& plan, const Mesh& mesh, int64_t iteration, bool terminal);
  ~TrainLog();

  void line(const std::string& text);   // on stdout
  void stamp(const std::string& what);  // "[what] datetime: ..."
  void step(StepReport report, double parameters_norm);
  void evaluation(int64_t iteration, double loss);
  // Prints the interval that has begun, when the run ends inside one.
  void finish();
  void flush();        // curve, events
  void reset_clock();  // leaves saving and evaluation out of the next interval

 private:
  using Clock = std::chrono::steady_clock;
  void print_interval(double parameters_norm);
  void show_progress(const StepReport& report);
  void clear_progress();

  Plan plan_;
  Mesh mesh_;
  std::unique_ptr<History> history_;  // rank 0 only
  bool terminal_ = false, progress_shown_ = false, memory_shown_ = false;
  Clock::time_point step_start_, interval_start_;
  double interval_loss_ = 0.0, smooth_ms_ = 0.0;
  StepReport last_;
  int64_t interval_steps_ = 0, interval_skipped_ = 0, interval_not_finite_ = 0;
};

}  // namespace mindspeed
