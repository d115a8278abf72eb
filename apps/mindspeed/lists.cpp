// Commands that print what is there: models, features, completion, version.
#include <fmt/format.h>

#include "apps/mindspeed/commands.h"
#include "front/base/text.h"
#include "front/config/help.h"
#include "front/features/registry.h"
#include "front/models/registry.h"

namespace mindspeed::app {

int run_models(const Invocation&) {
  fmt::print("Families (model_type of config.json) and their presets:\n");
  for (const models::Family& family : models::families()) {
    fmt::print("  {:<10} {}\n", family.name, family.architecture);
    for (const models::Preset& preset : family.presets) fmt::print("             {}\n", preset.name);
  }
  fmt::print("Use: --model DIR, --preset NAME, or --preset FAMILY:debug\n");
  return 0;
}

int run_features(const Invocation&) {
  fmt::print("{}", features_text());
  return 0;
}

int run_completion(const Invocation&) {
  fmt::print("_mindspeed() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}}\n  local words=\"");
  for (const CommandRow& row : commands()) fmt::print("{} ", row.name);
  fmt::print("\"\n  case \"${{COMP_WORDS[1]}}\" in\n");
  for (const CommandRow& row : commands())
    if (row.flags)
      fmt::print("    {}) [ $COMP_CWORD -gt 1 ] && words=\"{}\" ;;\n", row.name,
                 join(flag_words(*row.flags), " "));
  fmt::print("  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}}\n");
  fmt::print("complete -o default -F _mindspeed mindspeed\n");
  return 0;
}

int run_version(const Invocation&) {
  fmt::print("mindspeed {}\n", MINDSPEED_VERSION);
  return 0;
}

}  // namespace mindspeed::app
