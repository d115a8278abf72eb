#include "engine/optim/lr_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr std::array<std::string_view, 5> kStyles = {"constant", "linear", "cosine", "inverse-square-root",
                                                     "WSD"};
constexpr std::array<std::string_view, 4> kWsdStyles = {"linear", "cosine", "exponential", "minus_sqrt"};
constexpr std::array<std::string_view, 3> kDecayStyles = {"constant", "linear", "cosine"};

template <size_t n>
void check_style(std::string_view what, std::string_view value,
                 const std::array<std::string_view, n>& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  std::string list;
  for (std::string_view name : known) list += (list.empty() ? "" : ", ") + std::string(name);
  refuse("schedule", "{} '{}' is unknown; choose one of {}", what, value, list);
}

double half_cosine(double ratio) { return 0.5 * (std::cos(std::numbers::pi * ratio) + 1.0); }

// Share of (lr - min_lr) that is left in the last, annealing part of warm-up/stable/decay.
double wsd_coefficient(const LrPlan& plan, double samples) {
  const double start = static_cast<double>(plan.decay_samples - plan.wsd_decay_samples);
  if (samples <= start) return 1.0;
  const double ratio = (samples - start) / static_cast<double>(plan.wsd_decay_samples);
  if (plan.wsd_style == "linear") return 1.0 - ratio;
  if (plan.wsd_style == "cosine") return half_cosine(ratio);
  if (plan.wsd_style == "minus_sqrt") return 1.0 - std::sqrt(ratio);
  return 2.0 * std::pow(0.5, ratio) - 1.0;
}

}  // namespace

void check_lr_plan(const LrPlan& plan) {
  check_style("learning-rate decay style", plan.style, kStyles);
  check_style("weight-decay style", plan.weight_decay_style, kDecayStyles);
  if (plan.min_lr > plan.lr) refuse("schedule", "min-lr {} is above lr {}", plan.min_lr, plan.lr);
  if (plan.warmup_init > plan.lr)
    refuse("schedule", "lr-warmup-init {} is above lr {}", plan.warmup_init, plan.lr);
  if (plan.style == "constant") return;
  if (plan.decay_samples <= 0)
    refuse("schedule", "the decay lasts {} samples; it must be > 0", plan.decay_samples);
  if (plan.warmup_samples >= static_cast<double>(plan.decay_samples))
    refuse("schedule",
           "warm-up takes {} samples but the whole decay only {}; shorten --lr-warmup-* or lengthen "
           "--lr-decay-*",
           plan.warmup_samples, plan.decay_samples);
  if (plan.style != "WSD") return;
  check_style("WSD decay style", plan.wsd_style, kWsdStyles);
  if (plan.wsd_decay_samples <= 0 || plan.wsd_decay_samples > plan.decay_samples)
    refuse("schedule",
           "the WSD annealing takes {} samples of {}; give --lr-wsd-decay-iters or -samples within the decay",
           plan.wsd_decay_samples, plan.decay_samples);
}

double learning_rate_at(const LrPlan& plan, int64_t samples) {
  const double at = static_cast<double>(samples);
  if (plan.warmup_samples > 0 && at <= plan.warmup_samples)
    return plan.warmup_init + (plan.lr - plan.warmup_init) * at / plan.warmup_samples;
  if (plan.style == "constant") return plan.lr;
  if (samples > plan.decay_samples) return plan.min_lr;
  if (plan.style == "inverse-square-root") {
    const double warmup = std::max(plan.warmup_samples, 1.0);
    return std::max(plan.min_lr, plan.lr * std::sqrt(warmup) / std::sqrt(std::max(at, 1.0)));
  }
  double coefficient = 0.0;
  if (plan.style == "WSD") {
    coefficient = wsd_coefficient(plan, at);
  } else {
    const double ratio =
        (at - plan.warmup_samples) / (static_cast<double>(plan.decay_samples) - plan.warmup_samples);
    coefficient = plan.style == "linear" ? 1.0 - ratio : half_cosine(ratio);
  }
  return plan.min_lr + coefficient * (plan.lr - plan.min_lr);
}

double weight_decay_at(const LrPlan& plan, int64_t samples) {
  if (plan.weight_decay_style == "constant" || samples > plan.weight_decay_samples)
    return plan.end_weight_decay;
  const double ratio = static_cast<double>(samples) / static_cast<double>(plan.weight_decay_samples);
  const double coefficient = plan.weight_decay_style == "linear" ? ratio : half_cosine(1.0 - ratio);
  return plan.start_weight_decay + coefficient * (plan.end_weight_decay - plan.start_weight_decay);
}

}  // namespace mindspeed
