// The plan of `generate` and `chat`: a model on one rank, and how to choose tokens.
#pragma once

#include "front/config/settings.h"
#include "front/plan/generate.h"
#include "front/planner/planner.h"

namespace mindspeed {

// Model, weights, tokenizer, precision, one rank. Throws Error (exit 2).
Planned make_generation_plan(const Settings& settings, const PlannerInputs& inputs);

// Prompts, lengths, sampling. Throws Error (exit 2) for settings that contradict each other.
GenerateOptions generate_options(const Settings& settings, bool chat);

}  // namespace mindspeed
