// `mindspeed pretrain` and `mindspeed plan` (the same with --dry-run).
#include <fmt/format.h>

#include <algorithm>

#include "apps/mindspeed/commands.h"
#include "front/base/file.h"
#include "front/base/log.h"
#include "front/config/command_line.h"
#include "front/config/help.h"
#include "front/config/yaml_file.h"
#include "front/convert/open_tokenizer.h"
#include "front/data/prepare/raw_text.h"
#include "front/plan/engine_entry.h"
#include "front/planner/describe.h"

namespace mindspeed::app {
namespace {

// What was asked, and what becomes of flags that are not plainly implemented.
std::string start_up_report(const Settings& settings, const Planned& planned) {
  std::string out = fmt::format("Settings\n{}", settings_table(settings, settings.flag("print-config")));
  std::string notes = disposition_notes(settings);
  for (const std::string& note : planned.notes) notes += fmt::format("  {}\n", note);
  if (!notes.empty()) out += fmt::format("Notes\n{}", notes);
  return out + describe(planned);
}

}  // namespace

int run_pretrain(const Invocation& invocation) {
  set_log_rank(rank_environment(invocation.environment).rank);
  PlannerInputs inputs = planner_inputs(invocation.environment);
  const Settings settings =
      with_hub_models(parse_settings(kPretrain, invocation.words), invocation.environment, &inputs);
  Planned planned = make_plan(settings, inputs);
  if (settings.given("save-config")) write_file_atomic(settings.text("save-config"), to_yaml(settings));
  const std::string report = start_up_report(settings, planned);
  if (settings.flag("dry-run")) {
    fmt::print("{}", report);
    return 0;
  }
  log_info("{}", report);
  prepare_raw_text(planned.plan, open_tokenizer);
  const EngineRequest request{"pretrain", planned.plan, {}, invocation.environment};
  return run_engine(request.command, &request);
}

int run_plan(const Invocation& invocation) {
  Invocation dry = invocation;
  const auto& words = invocation.words;
  if (std::find(words.begin(), words.end(), "--dry-run") == words.end()) dry.words.emplace_back("--dry-run");
  return run_pretrain(dry);
}

}  // namespace mindspeed::app
