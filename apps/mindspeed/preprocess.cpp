// `mindspeed preprocess`: text to .bin/.idx.
#include "front/data/preprocess.h"

#include <fmt/format.h>

#include <memory>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/base/log.h"
#include "front/config/command_line.h"
#include "front/config/help.h"
#include "front/convert/open_tokenizer.h"

namespace mindspeed::app {
namespace {

std::string tokenizer_path(const Settings& settings) {
  for (const char* flag : {"tokenizer-name-or-path", "tokenizer-model"})
    if (const std::string path = settings.text(flag); !path.empty()) return path;
  refuse("preprocess",
         "--tokenizer-name-or-path is missing; a folder with tokenizer.json or a .gguf file is needed");
}

PreprocessOptions options_from(const Settings& settings) {
  PreprocessOptions options;
  options.inputs = settings.list("input");
  options.json_keys = settings.list("json-keys");
  options.output_prefix = settings.text("output-prefix");
  options.append_eod = settings.flag("append-eod");
  options.workers = static_cast<int>(settings.integer("workers"));
  options.log_interval = settings.integer("log-interval");
  options.skip_errors = settings.text("on-error") == "skip";
  if (settings.has("max-samples")) options.max_samples = settings.integer("max-samples");
  return options;
}

}  // namespace

int run_preprocess(const Invocation& invocation) {
  const Settings settings =
      with_hub_models(parse_settings(kPreprocess, invocation.words), invocation.environment);
  require_no_refused(settings);
  require_pretrain_handler(settings.text("handler-name"));
  if (const std::string notes = disposition_notes(settings); !notes.empty()) log_info("{}", notes);

  PreprocessOptions options = options_from(settings);
  options.tokenizer = tokenizer_path(settings);
  const auto tokenizer = std::make_shared<const Tokenizer>(open_tokenizer(options.tokenizer));
  options.tokenizer_fingerprint = tokenizer->fingerprint();
  options.vocab_size = tokenizer->vocab_size();
  options.eod = tokenizer->eos().value_or(-1);
  const PreprocessReport report = preprocess(options, tokenizer_encoders(tokenizer));

  log_info("{} documents, {} tokens. Train with:", report.documents, report.tokens);
  for (const std::string& prefix : report.outputs) fmt::print("--data-path {}\n", prefix);
  return kExitOk;
}

}  // namespace mindspeed::app
