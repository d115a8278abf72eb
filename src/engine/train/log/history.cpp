#include "engine/train/log/history.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

// JSON has no NaN: such values become null.
OrderedJson number(double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr); }

}  // namespace

History::History(const LogPlan& plan, int64_t iteration) : plan_(plan) {
  if (!plan.curve_svg.empty()) check_output_file(plan.curve_svg);
  if (!plan.jsonl.empty()) reopen(iteration);
  if (!plan.tensorboard_dir.empty()) events_ = std::make_unique<TensorboardWriter>(plan.tensorboard_dir);
}

void History::reopen(int64_t iteration) {
  check_output_file(plan_.jsonl);
  std::string kept;
  if (iteration > 0 && fs::exists(plan_.jsonl)) {
    for (const std::string& line : split(read_file(plan_.jsonl), '\n')) {
      const Json j = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!j.is_object() || j.value("step", iteration + 1) > iteration)
        continue;  // a torn last line is dropped too
      kept += line + "\n";
      if (j.contains("loss") && j["loss"].is_number()) training_.push_back({j["step"], j["loss"]});
      if (j.contains("valid_loss") && j["valid_loss"].is_number())
        validation_.push_back({j["step"], j["valid_loss"]});
    }
  }
  write_file_atomic(plan_.jsonl, kept);
}

void History::append(const std::string& line) {
  if (plan_.jsonl.empty()) return;
  std::ofstream out(plan_.jsonl, std::ios::app);
  out << line << "\n";
  if (!out.flush()) fail("log", "{}: cannot be written", plan_.jsonl);
}

void History::step(const StepReport& r) {
  if (std::isfinite(r.loss)) training_.push_back({r.iteration, r.loss});
  append(OrderedJson{{"step", r.iteration},
                     {"samples", r.consumed_samples},
                     {"loss", number(r.loss)},
                     {"lr", r.learning_rate},
                     {"weight_decay", r.weight_decay},
                     {"grad_norm", number(r.gradient_norm)},
                     {"loss_scale", r.loss_scale},
                     {"supervised_tokens", r.supervised_tokens},
                     {"ms", r.milliseconds},
                     {"tokens_per_second", r.tokens_per_second},
                     {"rss_mb", r.resident_mb},
                     {"skipped", r.skipped}}
             .dump());
  if (!events_) return;
  events_->scalar("lm loss", r.iteration, r.loss);
  events_->scalar("learning-rate", r.iteration, r.learning_rate);
  events_->scalar("grad-norm", r.iteration, r.gradient_norm);
  events_->scalar("loss-scale", r.iteration, r.loss_scale);
  events_->scalar("tokens-per-second", r.iteration, r.tokens_per_second);
  events_->scalar("iteration-time", r.iteration, r.milliseconds / 1000.0);
}

void History::evaluation(int64_t iteration, double loss) {
  validation_.push_back({iteration, loss});
  append(OrderedJson{{"step", iteration}, {"valid_loss", number(loss)}, {"valid_ppl", number(std::exp(loss))}}
             .dump());
  if (!events_) return;
  events_->scalar("lm loss validation", iteration, loss);
  events_->scalar("lm loss validation ppl", iteration, std::exp(loss));
}

void History::flush() {
  if (!plan_.curve_svg.empty())
    write_file_atomic(plan_.curve_svg, curve_svg("loss per supervised token", training_, validation_));
  if (events_) events_->flush();
}

}  // namespace mindspeed
