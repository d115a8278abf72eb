// The record of a run: one JSON object per step in a file (JSONL), the loss curve drawn from it, TensorBoard
// events. Only rank 0 keeps one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/train/log/curve_svg.h"
#include "engine/train/report.h"
#include "front/formats/tensorboard.h"
#include "front/plan/plan.h"

namespace mindspeed {

class History {
 public:
  // Opens the files that plan.log names. After a resume at `iteration` the record of later steps, which a
  // killed run may have left, is dropped; the earlier part stays and is in the curve.
  History(const LogPlan& plan, int64_t iteration);

  void step(const StepReport& report);
  void evaluation(int64_t iteration, double loss);
  // Rewrites the curve, flushes the events.
  void flush();

 private:
  void reopen(int64_t iteration);
  void append(const std::string& line);

  LogPlan plan_;
  std::vector<CurvePoint> training_, validation_;
  std::unique_ptr<TensorboardWriter> events_;
};

}  // namespace mindspeed
