#include "front/planner/fitting.h"

#include <fmt/format.h>

#include <algorithm>

#include "front/base/text.h"
#include "front/planner/memory.h"

namespace mindspeed {
namespace {

uint64_t needed(const Plan& plan) {
  uint64_t most = 0;
  for (const MemoryForecast& stage : forecast_memory(plan)) most = std::max(most, stage.total());
  return most;
}

struct Candidate {
  Plan plan;
  std::string flags;
};

Candidate one_sample(Candidate c) {
  if (c.plan.batch.micro == 1) return c;
  c.plan.batch.micro_batches *= c.plan.batch.micro;
  c.plan.batch.micro = 1;
  c.flags += fmt::format(" --micro-batch-size 1 --global-batch-size {}", c.plan.batch.global);
  return c;
}

Candidate recomputed(Candidate c) {
  if (c.plan.recompute.granularity == Recompute::full) return c;
  c.plan.recompute = {Recompute::full, "uniform", 1};
  c.flags += " --recompute-granularity full";
  return c;
}

Candidate in_bf16(Candidate c) {
  if (c.plan.precision.parameters != DType::f32) return c;
  c.plan.precision.parameters = DType::bf16;
  c.flags += " --bf16";
  return c;
}

}  // namespace

std::string what_would_fit(const Plan& plan, uint64_t room) {
  const Candidate now{plan, ""};
  const Candidate small = in_bf16(recomputed(one_sample(now)));
  std::vector<Candidate> tries = {one_sample(now), recomputed(now), recomputed(one_sample(now)), in_bf16(now),
                                  small};
  for (int64_t length = plan.batch.sequence / 2; length >= 64; length /= 2) {
    Candidate shorter = small;
    shorter.plan.batch.sequence = length;
    shorter.flags += fmt::format(" --seq-length {}", length);
    tries.push_back(std::move(shorter));
  }
  for (const Candidate& c : tries) {
    if (const uint64_t bytes = needed(c.plan); bytes <= room)
      return fmt::format("{} ({})", c.flags.substr(1), human_bytes(bytes));
  }
  return "";
}

}  // namespace mindspeed
