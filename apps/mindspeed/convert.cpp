// `mindspeed convert`: weights between formats.
#include "front/convert/convert.h"

#include <fmt/format.h>

#include <chrono>

#include "apps/mindspeed/commands.h"
#include "front/base/error.h"
#include "front/base/log.h"
#include "front/base/text.h"
#include "front/config/command_line.h"
#include "front/config/help.h"

namespace mindspeed::app {
namespace {

// Flags that describe a Megatron layout mean nothing for a layout-free output: only their defaults pass.
void check_layout_flags(const Settings& settings) {
  constexpr std::string_view names =
      "target-tensor-parallel-size target-pipeline-parallel-size target-expert-parallel-size "
      "expert-tensor-parallel-size source-tensor-parallel-size source-pipeline-parallel-size "
      "source-expert-parallel-size num-layers-per-virtual-pipeline-stage num-layer-list noop-layers "
      "moe-grouped-gemm moe-tp-extend-ep mla-mm-split mtp-num-layers schedules-method";
  for (const std::string& name : split(names, ' '))
    if (settings.given(name) && settings.at(name).words != std::vector<std::string>{"1"})
      refuse("convert", "--{} describes a Megatron layout; a Hugging Face folder has none. Drop the flag",
             name);
}

ConvertOptions options_from(const Settings& settings) {
  for (const char* flag : {"load-dir", "save-dir"})
    if (!settings.has(flag)) refuse("convert", "--{} is missing; a path was needed", flag);
  ConvertOptions options;
  options.load_dir = settings.text("load-dir");
  options.save_dir = settings.text("save-dir");
  options.config_dir = settings.text("hf-cfg-dir");
  options.load_type = settings.text("load-model-type");
  options.save_type = settings.text("save-model-type");
  if (options.load_type != "mg" && options.save_type != "mg") check_layout_flags(settings);
  options.model_type_hf = settings.text("model-type-hf");
  if (settings.has("dtype")) options.dtype = dtype_from_string(settings.text("dtype"));
  options.overwrite = settings.flag("overwrite");
  return options;
}

// A line at most every two seconds.
std::function<void(uint64_t, uint64_t)> progress_lines() {
  auto last = std::chrono::steady_clock::now();
  return [last](uint64_t done, uint64_t total) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::seconds(2)) return;
    last = now;
    log_info("converted {} of {}", human_bytes(done), human_bytes(total));
  };
}

}  // namespace

int run_convert(const Invocation& invocation) {
  const Settings settings =
      with_hub_models(parse_settings(kConvert, invocation.words), invocation.environment);
  require_no_refused(settings);
  if (const std::string notes = disposition_notes(settings); !notes.empty()) log_info("{}", notes);
  ConvertOptions options = options_from(settings);
  options.progress = progress_lines();
  const ConvertResult result = convert_model(options);
  fmt::print("{}: {} tensors, {} parameters, {} written to {}\n", result.family, result.tensors,
             result.parameters, human_bytes(result.bytes), options.save_dir.string());
  return kExitOk;
}

}  // namespace mindspeed::app
