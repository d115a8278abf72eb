// Files of a run: data, tokenizer, checkpoints, logs; and the run's own limits.
#pragma once

#include <string>
#include <vector>

#include "front/config/settings.h"
#include "front/plan/plan.h"
#include "front/planner/model_choice.h"

namespace mindspeed {

// Data paths (which must exist), split, tokenizer. Notes what becomes of raw text. Throws Error (exit 2).
void plan_data(const Settings& settings, const ModelChoice& model, Plan& plan,
               std::vector<std::string>& notes);

// The tokenizer that flags name (which must exist), else the model's own; "" if there is none. Throws Error
// (exit 2).
std::string choose_tokenizer(const Settings& settings, const ModelChoice& model);

// Saving, loading, exporting. Adds to `notes` when there is nothing to resume from. Throws Error (exit 2).
void plan_checkpoint(const Settings& settings, const ModelChoice& model, Plan& plan,
                     std::vector<std::string>& notes);

// Threads per rank, 0 = the engine chooses. Refuses more than four per core: they would only wait for each
// other.
int thread_count(const Settings& settings);

// Logging, evaluation, seed, limits.
void plan_run(const Settings& settings, Plan& plan);

}  // namespace mindspeed
