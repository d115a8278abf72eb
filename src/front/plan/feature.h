// A switchable feature: which flags it reads, and how it edits the Plan. One torch-free file each in
// front/features.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/config/settings.h"
#include "front/plan/plan.h"

namespace mindspeed {

// What a feature may look at besides the Plan that it edits.
struct FeatureContext {
  const Settings& settings;
  int world = 1;                    // ranks of the run
  std::vector<std::string>& notes;  // what the user should hear once at start-up
};

struct Feature {
  std::string_view name;
  std::string_view description;               // one line
  std::vector<std::string_view> fields;       // rows of the field table that it reads
  bool (*active)(const Settings&) = nullptr;  // whether the user asked for it; for lists and start-up lines
  // Edits the Plan. Called in the order of the registry for every run, active or not, because defaults are
  // decisions too. Throws Error (exit 2) with the numbers and the legal values when a rule is broken.
  void (*apply)(Plan&, const FeatureContext&) = nullptr;
};

}  // namespace mindspeed
