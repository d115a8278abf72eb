// The commands `generate` and `chat`.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>
#include <set>

#include "engine/runtime/model.h"
#include "front/plan/generate.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

// What a model folder says about ending an answer: the union of eos_token_id in generation_config.json and
// config.json with the tokenizer's EOS. `folder` may be empty.
std::set<int32_t> stop_ids(const std::filesystem::path& folder, const Tokenizer& tokenizer);

// Answers every prompt in one batch; texts go to `out` (streamed when there is one prompt and options.stream)
// or to options.output_jsonl. Ranks other than 0 compute and print nothing. Returns the exit code.
int run_generate(Model& model, const Tokenizer& tokenizer, const std::filesystem::path& folder,
                 const GenerateOptions& options, std::ostream& out);

// A conversation on a terminal: lines from `in`, answers streamed to `out`. Commands as in the reference: q,
// quit, exit end it; clear, new forget the history. The keys and values of earlier turns are kept.
int run_chat(Model& model, const Tokenizer& tokenizer, const std::filesystem::path& folder,
             const GenerateOptions& options, std::istream& in, std::ostream& out);

}  // namespace mindspeed
