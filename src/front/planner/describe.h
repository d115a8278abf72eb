// The plan as text, for --dry-run and the start-up report.
#pragma once

#include <string>

#include "front/planner/planner.h"

namespace mindspeed {

// Model, parameters, layout, batch, schedule, memory.
std::string describe(const Planned& planned);

// The memory table alone.
std::string describe_memory(const std::vector<MemoryForecast>& memory);

}  // namespace mindspeed
