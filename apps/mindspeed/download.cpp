// Models from a hub: `mindspeed download`, and names of models in place of paths for every other command.
#include <fmt/format.h>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/config/command_line.h"
#include "front/config/help.h"
#include "front/hub/fetch.h"

namespace mindspeed::app {
namespace {

struct HubField {
  const char* flag;
  HubParts parts;
};
constexpr HubField kHubFields[] = {{"model", HubParts::everything},
                                   {"load", HubParts::everything},
                                   {"load-dir", HubParts::everything},
                                   {"hf-cfg-dir", HubParts::tokenizer},
                                   {"tokenizer-name-or-path", HubParts::tokenizer},
                                   {"tokenizer-model", HubParts::tokenizer}};

// --load names checkpoints, unless it says that it names a model.
bool may_name_model(const Settings& settings, const std::string& flag) {
  if (!settings.reads(flag) || !settings.given(flag)) return false;
  return flag != "load" || (settings.reads("enable-hf2mg-convert") && settings.flag("enable-hf2mg-convert"));
}

bool leaves_weights(const Settings& settings) { return settings.flag("dry-run") || settings.flag("random-init"); }

}  // namespace

Settings with_hub_models(Settings settings, const EnvironmentMap& environment, PlannerInputs* inputs) {
  for (const HubField& field : kHubFields) {
    if (!may_name_model(settings, field.flag)) continue;
    const std::string name = settings.text(field.flag);
    const auto reference = hub_reference(name);
    if (!reference || fs::exists(name)) continue;
    HubParts parts = field.parts;
    if (parts == HubParts::everything && inputs != nullptr && leaves_weights(settings)) {
      parts = HubParts::tokenizer;
      inputs->weights_elsewhere = true;
    }
    Setting setting = settings.at(field.flag);
    setting.words = {fetch_model(hub_access(settings, environment), *reference, parts)};
    settings.set(std::move(setting));
  }
  return settings;
}

int run_download(const Invocation& invocation) {
  const Settings settings = parse_settings(kDownload, invocation.words);
  const std::string name = settings.text("model");
  if (name.empty()) refuse("download", "--model is missing; ORG/NAME of a model on the hub was needed");
  const auto reference = hub_reference(name);
  if (!reference) refuse("download", "--model {} came; ORG/NAME of a model on the hub was needed", name);
  const HubParts parts = settings.flag("tokenizer-only") ? HubParts::tokenizer : HubParts::everything;
  fmt::print("{}\n", fetch_model(hub_access(settings, invocation.environment), *reference, parts));
  return kExitOk;
}

}  // namespace mindspeed::app
