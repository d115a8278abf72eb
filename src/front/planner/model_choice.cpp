#include "front/planner/model_choice.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/models/registry.h"
#include "front/planner/architecture.h"

namespace mindspeed {
namespace {

bool has_extension(const fs::path& folder, std::string_view extension) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) return true;
  return false;
}

bool is_hugging_face_folder(const fs::path& path) {
  return fs::is_directory(path) && fs::exists(path / "config.json") && has_extension(path, ".safetensors") &&
         !fs::exists(path / "latest_checkpointed_iteration.txt");
}

// The weights of a model path; only --random-init may leave them out.
std::string weights_of(const fs::path& path, const Settings& settings, std::string_view flag,
                       const PlannerInputs& inputs) {
  if (settings.flag("random-init")) return "";
  if (fs::is_regular_file(path) || inputs.weights_elsewhere) return path.string();
  if (!has_extension(path, ".safetensors"))
    refuse(flag,
           "{} has no .safetensors files; give a folder with weights, or --random-init to train from scratch",
           path.string());
  return path.string();
}

ModelChoice from_path(const std::string& name, std::string_view flag, const Settings& settings,
                      const PlannerInputs& inputs) {
  const fs::path path(name);
  if (!fs::exists(path))
    refuse(flag, "'{}' does not exist; a Hugging Face folder or a .gguf file was needed", name);
  if (!fs::exists(path / "config.json") && fs::exists(path / "latest_checkpointed_iteration.txt"))
    refuse(flag, "'{}' is a folder of checkpoints; give it with --load, which knows its model", name);
  ModelChoice choice;
  choice.origin = fs::is_directory(path) ? (path / "config.json").string() : path.string();
  choice.spec = models::model_from_config(inputs.read_model_config(path), choice.origin);
  choice.weights = weights_of(path, settings, flag, inputs);
  choice.model_dir = name;
  return choice;
}

ModelChoice from_preset(const std::string& name) {
  ModelChoice choice;
  choice.origin = fmt::format("preset {}", name);
  choice.preset = name;
  choice.spec = models::model_from_config(models::preset_config(name), choice.origin);
  return choice;
}

// What the checkpoint in --load says, or nothing if there is none.
std::optional<CheckpointModel> model_of_checkpoint(const Settings& settings, const PlannerInputs& inputs) {
  if (!settings.given("load") || !inputs.checkpoint_model) return std::nullopt;
  return inputs.checkpoint_model(settings.text("load"));
}

// The weights are those of the checkpoint; its run's folder gives the config and the tokenizer.
ModelChoice from_checkpoint(const CheckpointModel& saved, const Settings& settings, const PlannerInputs& inputs) {
  if (!saved.preset.empty()) return from_preset(saved.preset);
  ModelChoice choice;
  choice.model_dir = settings.given("hf-cfg-dir") ? settings.text("hf-cfg-dir") : saved.model_dir;
  if (!fs::exists(choice.model_dir))
    refuse(
        "--load",
        "the run in {} was started from --model {}, which is not there; give --model, or the folder of its "
        "config and tokenizer with --hf-cfg-dir",
        settings.text("load"), choice.model_dir);
  choice.origin = choice.model_dir;
  choice.spec = models::model_from_config(inputs.read_model_config(choice.model_dir), choice.origin);
  return choice;
}

ModelChoice from_flags(const Settings& settings) {
  ModelChoice choice;
  choice.origin = "this model family";
  choice.spec = models::model_from_config(config_from_flags(settings), "architecture flags");
  return choice;
}

// --load may name a Hugging Face folder: said by --enable-hf2mg-convert, or seen by its files.
bool load_names_weights(const Settings& settings) {
  if (!settings.given("load")) return false;
  return settings.flag("enable-hf2mg-convert") || is_hugging_face_folder(settings.text("load"));
}

void override_dropouts(const Settings& settings, ModelSpec& model) {
  if (settings.given("hidden-dropout")) model.hidden_dropout = settings.real("hidden-dropout");
  if (!settings.given("attention-dropout")) return;
  for (LayerSpec& layer : model.layers)
    for (BranchSpec& branch : layer.branches)
      if (auto* attention = std::get_if<AttentionSpec>(&branch.op))
        attention->dropout = settings.real("attention-dropout");
}

}  // namespace

ModelChoice choose_model(const Settings& settings, const PlannerInputs& inputs) {
  const bool from_load = load_names_weights(settings);
  std::vector<std::string> sources;
  if (settings.given("model")) sources.emplace_back("--model");
  if (settings.given("preset")) sources.emplace_back("--preset");
  if (from_load) sources.emplace_back("--load with a Hugging Face folder");
  if (sources.size() > 1)
    refuse("model", "{} came together; one source of the model was needed", join(sources, " and "));

  ModelChoice choice;
  const bool described = sources.empty() && describes_model(settings);
  if (settings.given("model"))
    choice = from_path(settings.text("model"), "--model", settings, inputs);
  else if (settings.given("preset"))
    choice = from_preset(settings.text("preset"));
  else if (from_load)
    choice = from_path(settings.text("load"), "--load", settings, inputs);
  else if (described)
    choice = from_flags(settings);
  else if (const auto saved = model_of_checkpoint(settings, inputs))
    choice = from_checkpoint(*saved, settings, inputs);
  else
    refuse("model",
           "no model came; give --model DIR, --preset NAME (try --preset debug) or architecture flags");

  choice.load_is_weights = from_load;
  require_agreement(settings, choice.spec, choice.origin, described);
  override_dropouts(settings, choice.spec);
  if (settings.given("init-method-std")) choice.spec.init_std = settings.real("init-method-std");
  return choice;
}

std::map<std::string, std::string> resolved_settings(const Settings& settings, const ModelChoice& model) {
  std::map<std::string, std::string> out = settings.resolved();
  const auto absolute = [](const std::string& path) {
    return fs::absolute(path).lexically_normal().string();
  };
  if (!model.preset.empty()) out["preset"] = model.preset;
  if (!model.model_dir.empty()) out["model"] = absolute(model.model_dir);
  if (settings.given("hf-cfg-dir")) out["hf-cfg-dir"] = absolute(settings.text("hf-cfg-dir"));
  return out;
}

}  // namespace mindspeed
