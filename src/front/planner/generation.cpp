#include "front/planner/generation.h"

#include <fmt/format.h>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/command_line.h"
#include "front/features/registry.h"
#include "front/planner/io.h"
#include "front/planner/model_choice.h"

namespace mindspeed {
namespace {

void require_one_rank(const Settings& settings, const PlannerInputs& inputs) {
  for (const char* flag : {"tensor-model-parallel-size", "pipeline-model-parallel-size"})
    if (settings.integer(flag) != 1)
      refuse(fmt::format("--{}", flag), "{} came; generation runs on one rank, so 1 was needed",
             settings.integer(flag));
  if (inputs.world != 1) refuse("world size", "{} ranks came; generation runs on one rank", inputs.world);
}

SamplingOptions sampling_options(const Settings& settings) {
  SamplingOptions out;
  out.greedy = settings.flag("greedy") || settings.real("temperature") == 0;
  for (const char* flag : {"top-k", "top-p"})
    if (out.greedy && settings.given(flag))
      refuse("--greedy", "it came with --{}, which it does not read", flag);
  if (settings.flag("greedy") && settings.given("temperature") && settings.real("temperature") != 0)
    refuse("--greedy", "it came with --temperature {}; give one of the two", settings.real("temperature"));
  out.temperature = out.greedy ? 1.0 : settings.real("temperature");
  out.top_k = settings.integer("top-k");
  out.top_p = settings.real("top-p");
  out.seed = static_cast<uint64_t>(settings.integer("seed"));
  return out;
}

std::vector<std::string> prompts_of(const Settings& settings) {
  std::vector<std::string> out = settings.list("prompt");
  if (!settings.given("prompt-file")) return out;
  if (!out.empty()) refuse("--prompt", "it came with --prompt-file; give one of the two");
  for (const std::string& line : split(read_file(settings.text("prompt-file")), '\n'))
    if (!line.empty()) out.push_back(line);
  return out;
}

}  // namespace

Planned make_generation_plan(const Settings& settings, const PlannerInputs& inputs) {
  require_no_refused(settings);
  require_one_rank(settings, inputs);
  Planned out;
  Plan& plan = out.plan;
  const ModelChoice model = choose_model(settings, inputs);
  plan.model = model.spec;
  plan.weights = model.weights;
  plan.model_dir = settings.given("hf-cfg-dir") ? settings.text("hf-cfg-dir") : model.model_dir;
  plan.parameters = parameter_table(plan.model);
  plan.padded_vocab = plan.model.vocab;
  plan.placement = {{.stage = 0,
                     .chunk = 0,
                     .first_layer = 0,
                     .layers = static_cast<int>(plan.model.layers.size()),
                     .embedding = true,
                     .head = true}};
  apply_precision(plan, {settings, inputs.world, out.notes});
  plan.batch.sequence = settings.integer_or("seq-length", plan.model.max_position);
  if (plan.batch.sequence > plan.model.max_position)
    refuse("--seq-length", "{} tokens came; the model is made for at most {} positions", plan.batch.sequence,
           plan.model.max_position);
  plan.data.tokenizer = choose_tokenizer(settings, model);
  if (plan.data.tokenizer.empty())
    refuse("--tokenizer-name-or-path",
           "no tokenizer came; a folder with tokenizer.json or a .gguf file was needed");
  plan.checkpoint.load = model.load_is_weights ? "" : settings.text("load");
  plan.checkpoint.load_optimizer = plan.checkpoint.load_rng = false;
  plan.run.seed = static_cast<uint64_t>(settings.integer("seed"));
  plan.run.threads = thread_count(settings);
  plan.resolved = resolved_settings(settings, model);
  return out;
}

GenerateOptions generate_options(const Settings& settings, bool chat) {
  GenerateOptions out;
  out.prompts = prompts_of(settings);
  if (chat && !out.prompts.empty())
    refuse("--prompt",
           "a chat reads its turns from the terminal; for one answer use `generate --chat-template`");
  if (!chat && out.prompts.empty())
    refuse("--prompt", "no prompt came; --prompt TEXT or --prompt-file FILE was needed");
  out.system = settings.text("system");
  out.chat_template = chat || settings.flag("chat-template");
  for (const std::string& word : settings.list("template-kwargs")) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse("--template-kwargs", "'{}' came; KEY=VALUE was needed", word);
    out.template_arguments[word.substr(0, equals)] = word.substr(equals + 1);
  }
  if (!out.chat_template && (!out.system.empty() || !out.template_arguments.empty()))
    refuse("--chat-template",
           "--system or --template-kwargs came without it; they have an effect only in a chat");
  out.max_new_tokens = settings.integer("max-new-tokens");
  out.sampling = sampling_options(settings);
  out.stop = settings.list("stop");
  out.ignore_eos = settings.flag("ignore-eos");
  out.stream = !settings.flag("no-stream");
  out.output_jsonl = settings.text("output");
  return out;
}

}  // namespace mindspeed
