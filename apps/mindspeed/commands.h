// The sub-commands: one small file each, parse -> plan -> one call.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/launch/environment.h"
#include "front/planner/planner.h"

namespace mindspeed::app {

struct Invocation {
  std::vector<std::string> words;  // after the sub-command
  EnvironmentMap environment;
};

struct CommandRow {
  std::string_view name;
  std::string_view scripts;  // MindSpeed's entry points of the same job, separated by '|'; may be empty
  std::string_view summary;
  int (*run)(const Invocation&);   // returns the exit code; throws Error
  std::optional<Command> flags{};  // whose rows of the field table it reads
};

// In the order of the help.
std::span<const CommandRow> commands();
// By name or by one of MindSpeed's scripts, with or without a folder in front; nullptr if there is none.
const CommandRow* find_command(std::string_view name);

int run_pretrain(const Invocation&);
int run_plan(const Invocation&);
int run_preprocess(const Invocation&);
int run_convert(const Invocation&);
int run_train(const Invocation&);
int run_posttrain(const Invocation&);
int run_evaluate(const Invocation&);
int run_launch(const Invocation&);
int run_download(const Invocation&);
int run_doctor(const Invocation&);
int run_import_script(const Invocation&);
int run_generate(const Invocation&);
int run_chat(const Invocation&);
int run_models(const Invocation&);
int run_features(const Invocation&);
int run_completion(const Invocation&);
int run_version(const Invocation&);
int run_help(const Invocation&);

// The settings with models named ORG/NAME on a hub fetched, and their folders in place of the names. Local files
// and folders of that name win. With `inputs` the models are for a plan; a dry run leaves the weights on the hub.
Settings with_hub_models(Settings settings, const EnvironmentMap& environment, PlannerInputs* inputs = nullptr);

// Ranks and memory of this machine, and the reader of config.json, for the planner.
PlannerInputs planner_inputs(const EnvironmentMap& environment);

// Opens libmindspeed_engine.so and runs a request in it. Throws Error if it cannot be opened.
int run_engine(const std::string& command, const void* request);

}  // namespace mindspeed::app
