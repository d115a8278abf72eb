// What a run that is too large for this machine could be changed to.
#pragma once

#include <cstdint>
#include <string>

#include "front/plan/plan.h"

namespace mindspeed {

// The mildest change that needs at most `room` bytes per rank, as the flags to pass and what they need:
// "--recompute-granularity full (4.1 GiB)". First what leaves the numbers alone (smaller micro-batches,
// recomputation), then bf16, then shorter sequences. Empty when none of these fits.
std::string what_would_fit(const Plan& plan, uint64_t room);

}  // namespace mindspeed
