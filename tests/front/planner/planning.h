// Helpers of the planner's tests: plan a line of flags, or catch the refusal.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"
#include "front/config/command_line.h"
#include "front/planner/planner.h"

namespace mindspeed::test {

inline PlannerInputs inputs_for(int world) {
  PlannerInputs inputs;
  inputs.world = world;
  inputs.launched = world > 1;
  inputs.read_model_config = [](const fs::path& path) { return read_json(path / "config.json"); };
  return inputs;
}

inline Planned plan_words(const std::vector<std::string>& words, int world = 1) {
  return make_plan(parse_settings(kPretrain, words), inputs_for(world));
}

// Splits at spaces; runs of them count once.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words = split(line, ' ');
  std::erase(words, "");
  return words;
}

// Flags that a run always needs, then `words`.
inline Planned plan_line(const std::string& words, int world = 1) {
  return plan_words(words_of("--mock-data --train-iters 10 --lr 1e-3 " + words), world);
}

inline std::string refusal_of(const std::vector<std::string>& words, int world = 1) {
  try {
    plan_words(words, world);
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "accepted: " << join(words, " ");
  return "";
}

inline std::string refusal_line(const std::string& words, int world = 1) {
  return refusal_of(words_of("--mock-data --train-iters 10 --lr 1e-3 " + words), world);
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

}  // namespace mindspeed::test
