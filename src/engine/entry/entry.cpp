// The one function that the engine exports: a command and its Plan in, an exit code out.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <new>

#include "engine/comm/init.h"
#include "front/base/machine.h"
#include "engine/device/host_allocator.h"
#include "engine/entry/weights.h"
#include "engine/infer/commands.h"
#include "engine/train/loop.h"
#include "front/base/error.h"
#include "front/convert/open_tokenizer.h"
#include "front/launch/environment.h"
#include "front/plan/engine_entry.h"

namespace mindspeed {
namespace {

void configure_torch(const RunPlan& run, const RankEnvironment& environment) {
  const int share = std::max(1, processor().cores / std::max(1, environment.local_world));
  const int chosen = environment.threads > 0 ? environment.threads : share;
  at::set_num_threads(run.threads > 0 ? run.threads : chosen);
  if (!run.deterministic) return;
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  // Filling every new tensor is meant for finding bugs; it costs time and changes no result.
  at::globalContext().setDeterministicFillUninitializedMemory(false);
}

int run_pretrain(const EngineRequest& request, const RankEnvironment& environment) {
  CommOptions options;
  options.timeout = std::chrono::minutes(request.plan.run.timeout_minutes);
  Mesh mesh = build_mesh(request.plan.mesh, environment, options);
  return run_guarded(mesh, [&] {
    return pretrain(request.plan, mesh, {environment.terminal || ::isatty(STDERR_FILENO) == 1});
  });
}

int run_generation(const EngineRequest& request) {
  const Plan& plan = request.plan;
  Model model(plan, single_mesh());
  load_weights(model);
  const Tokenizer tokenizer = open_tokenizer(plan.data.tokenizer);
  if (request.command == "chat")
    return run_chat(model, tokenizer, plan.model_dir, request.generate, std::cin, std::cout);
  return run_generate(model, tokenizer, plan.model_dir, request.generate, std::cout);
}

int dispatch(const EngineRequest& request) {
  const RankEnvironment environment = rank_environment(request.environment);
  device::use_host_allocator();
  configure_torch(request.plan.run, environment);
  if (request.command == "pretrain") return run_pretrain(request, environment);
  if (request.command == "generate" || request.command == "chat") return run_generation(request);
  throw std::logic_error("the engine knows no command '" + request.command + "'");
}

}  // namespace
}  // namespace mindspeed

extern "C" int mindspeed_engine_run(const char* command, const void* request) {
  using namespace mindspeed;
  EngineRequest copy = *static_cast<const EngineRequest*>(request);
  copy.command = command;
  try {
    return dispatch(copy);
  } catch (const c10::Error& error) {
    // what() would add a stack trace of many lines.
    fail("engine", "{}", error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    fail("engine",
         "out of memory; use a smaller --micro-batch-size or --seq-length, or --recompute-granularity full");
  }
}
