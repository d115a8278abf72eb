#include "front/planner/training.h"

#include "front/base/error.h"
#include "front/plan/batch_schedule.h"

namespace mindspeed {
namespace {

bool counts_samples(const Settings& settings) { return settings.given("train-samples"); }

// One flag counts steps, its twin samples; only the one that matches the run's own count has an effect.
void require_matching_unit(const Settings& settings, const char* iters, const char* samples) {
  const char* wrong = counts_samples(settings) ? iters : samples;
  const char* right = counts_samples(settings) ? samples : iters;
  if (settings.given(wrong))
    refuse("schedule", "--{} came, but the run is counted in {}; use --{}", wrong,
           counts_samples(settings) ? "samples (--train-samples)" : "steps (--train-iters)", right);
}

int64_t in_samples(const Settings& settings, const char* iters, const char* samples, int64_t otherwise,
                   int64_t batch) {
  require_matching_unit(settings, iters, samples);
  if (counts_samples(settings)) return settings.integer_or(samples, otherwise);
  return settings.has(iters) ? settings.integer(iters) * batch : otherwise;
}

double warmup_samples(const Settings& settings, const LrPlan& lr, int64_t batch) {
  const int64_t counted = in_samples(settings, "lr-warmup-iters", "lr-warmup-samples", 0, batch);
  if (!settings.has("lr-warmup-fraction")) return static_cast<double>(counted);
  if (counted != 0)
    refuse("schedule", "--lr-warmup-fraction came with a warm-up length; give one of the two");
  return settings.real("lr-warmup-fraction") * static_cast<double>(lr.decay_samples);
}

void plan_weight_decay(const Settings& settings, LrPlan& lr, int64_t total_samples) {
  lr.weight_decay_style = settings.text("weight-decay-incr-style");
  lr.weight_decay_samples = total_samples;
  const bool start = settings.given("start-weight-decay");
  const bool end = settings.given("end-weight-decay");
  if (lr.weight_decay_style == "constant") {
    if (start || end)
      refuse("--weight-decay-incr-style",
             "constant came with --start-weight-decay or --end-weight-decay; use linear or "
             "cosine, or --weight-decay alone");
    lr.start_weight_decay = lr.end_weight_decay = settings.real("weight-decay");
    return;
  }
  if (!start || !end)
    refuse("--weight-decay-incr-style", "{} came; it needs --start-weight-decay and --end-weight-decay",
           lr.weight_decay_style);
  lr.start_weight_decay = settings.real("start-weight-decay");
  lr.end_weight_decay = settings.real("end-weight-decay");
  if (lr.end_weight_decay < lr.start_weight_decay)
    refuse("--end-weight-decay", "{} came; at least --start-weight-decay {} was needed", lr.end_weight_decay,
           lr.start_weight_decay);
}

void require_consistent(const LrPlan& lr) {
  if (lr.min_lr > lr.lr) refuse("--min-lr", "{} came; at most --lr {} was needed", lr.min_lr, lr.lr);
  if (lr.warmup_init > lr.lr)
    refuse("--lr-warmup-init", "{} came; at most --lr {} was needed", lr.warmup_init, lr.lr);
  if (lr.warmup_samples >= static_cast<double>(lr.decay_samples) && lr.decay_samples > 0)
    refuse("schedule", "a warm-up of {} samples came; less than the decay length of {} samples was needed",
           lr.warmup_samples, lr.decay_samples);
  if (lr.style == "WSD" && (lr.wsd_decay_samples == 0 || lr.wsd_decay_samples > lr.decay_samples))
    refuse("--lr-decay-style",
           "WSD came with a last phase of {} samples; --lr-wsd-decay-iters between 1 sample and the decay "
           "length of {} samples was needed",
           lr.wsd_decay_samples, lr.decay_samples);
}

}  // namespace

void plan_length(const Settings& settings, Plan& plan) {
  plan.batch.sequence = settings.integer_or("seq-length", plan.model.max_position);
  const int64_t limit = std::min(plan.model.max_position,
                                 settings.integer_or("max-position-embeddings", plan.model.max_position));
  if (plan.batch.sequence > limit)
    refuse("--seq-length", "{} tokens came; the model is made for at most {} positions", plan.batch.sequence,
           limit);
  if (settings.given("train-iters") == settings.given("train-samples"))
    refuse("--train-iters", "{} came; exactly one of --train-iters and --train-samples was needed",
           settings.given("train-iters") ? "both" : "neither");
  if (counts_samples(settings)) plan.batch.train_samples = settings.integer("train-samples");
  plan.batch.steps = counts_samples(settings) ? steps_for(plan.batch, plan.batch.train_samples)
                                              : settings.integer("train-iters");
  constexpr int64_t kMost = 1'000'000'000'000'000;  // as many as --train-samples may name
  if (plan.batch.steps > kMost / plan.batch.global)
    refuse("--train-iters", "{} steps of {} samples came; at most {} samples in all were needed",
           plan.batch.steps, plan.batch.global, kMost);
  if (counts_samples(settings) && plan.batch.steps == 0)
    refuse("--train-samples", "{} came; at least one global batch of {} samples was needed",
           settings.integer("train-samples"), plan.batch.global);
}

void plan_optimizer(const Settings& settings, Plan& plan) {
  OptimizerPlan& optimizer = plan.optimizer;
  const std::string kind = settings.text("optimizer");
  if (kind != "adam" && kind != "sgd")
    refuse("--optimizer", "'{}' came; adam or sgd was needed: muon is not built yet", kind);
  optimizer.kind = kind == "adam" ? "adamw" : "sgd";
  optimizer.beta1 = settings.real("adam-beta1");
  optimizer.beta2 = settings.real("adam-beta2");
  optimizer.eps = settings.real("adam-eps");
  optimizer.momentum = kind == "sgd" ? settings.real("sgd-momentum") : 0.0;
  optimizer.weight_decay = settings.real("weight-decay");
  optimizer.clip_grad = settings.real("clip-grad");
  for (const char* flag : {"adam-beta1", "adam-beta2", "adam-eps"})
    if (kind == "sgd" && settings.given(flag))
      refuse("--optimizer", "sgd came with --{}, which it does not read", flag);
  if (kind == "adam" && settings.given("sgd-momentum"))
    refuse("--optimizer", "adam came with --sgd-momentum, which it does not read");
}

void plan_schedule(const Settings& settings, Plan& plan) {
  LrPlan& lr = plan.lr;
  const int64_t batch = plan.batch.global;
  const int64_t total = training_samples(plan.batch);
  if (!settings.has("lr")) refuse("--lr", "no learning rate came; for example --lr 1e-4 was needed");
  lr.style = settings.text("lr-decay-style");
  lr.lr = settings.real("lr");
  lr.min_lr = settings.real("min-lr");
  lr.warmup_init = settings.real("lr-warmup-init");
  lr.decay_samples = in_samples(settings, "lr-decay-iters", "lr-decay-samples", total, batch);
  lr.warmup_samples = warmup_samples(settings, lr, batch);
  lr.wsd_style = settings.text("lr-wsd-decay-style");
  lr.wsd_decay_samples = in_samples(settings, "lr-wsd-decay-iters", "lr-wsd-decay-samples", 0, batch);
  for (const char* flag : {"lr-wsd-decay-style", "lr-wsd-decay-iters", "lr-wsd-decay-samples"})
    if (lr.style != "WSD" && settings.given(flag))
      refuse("--lr-decay-style", "{} came with --{}, which has an effect only with WSD", lr.style, flag);
  plan_weight_decay(settings, lr, total);
  require_consistent(lr);
}

}  // namespace mindspeed
