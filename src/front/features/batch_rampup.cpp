// The global batch grows from a small one at the start of the run.
#include "front/base/error.h"
#include "front/features/registry.h"

namespace mindspeed::feature {
namespace {

constexpr const char* kFlag = "--rampup-batch-size";

int64_t whole_number(const std::string& word) {
  size_t used = 0;
  int64_t value = -1;
  try {
    value = std::stoll(word, &used);
  } catch (const std::exception&) {
  }
  if (used != word.size() || value < 0)
    refuse(kFlag, "'{}' came; three whole numbers were needed: START INCREMENT SAMPLES", word);
  return value;
}

void apply(Plan& plan, const FeatureContext& context) {
  const Settings& settings = context.settings;
  if (!settings.given("rampup-batch-size")) return;
  const std::vector<std::string> words = settings.list("rampup-batch-size");
  if (words.size() != 3)
    refuse(kFlag, "{} numbers came; three were needed: START INCREMENT SAMPLES", words.size());
  const RampupPlan ramp{whole_number(words[0]), whole_number(words[1]), whole_number(words[2])};
  if (settings.given("train-iters"))
    refuse(kFlag, "it came with --train-iters; the length of such a run is given by --train-samples");
  const int64_t global = plan.batch.global, step = global / plan.batch.micro_batches;
  if (ramp.start < 1 || ramp.increment < 1 || ramp.samples < 1)
    refuse(kFlag, "{} {} {} came; numbers of at least 1 were needed", ramp.start, ramp.increment,
           ramp.samples);
  if (ramp.start >= global || (global - ramp.start) % ramp.increment != 0)
    refuse(kFlag,
           "start {} and increment {} came; they must lead to --global-batch-size {} in whole increments",
           ramp.start, ramp.increment, global);
  if (ramp.start % step != 0 || ramp.increment % step != 0)
    refuse(kFlag,
           "start {} and increment {} came; multiples of micro-batch-size {} x data parallel {} = {} were "
           "needed, so "
           "that every batch of the ramp can be divided",
           ramp.start, ramp.increment, plan.batch.micro, plan.mesh.dp, step);
  plan.batch.rampup = ramp;
}

}  // namespace

Feature batch_rampup() {
  return {.name = "batch_rampup",
          .description = "the global batch grows at the start of the run",
          .fields = {"rampup-batch-size"},
          .active = [](const Settings& settings) { return settings.given("rampup-batch-size"); },
          .apply = apply};
}

}  // namespace mindspeed::feature
