// Token generation with a key-value cache: one prefill of the whole batch, then one token per row and step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/nn/cache.h"
#include "engine/runtime/model.h"
#include "front/plan/generate.h"

namespace mindspeed {

struct GenerationRequest {
  std::vector<std::vector<int32_t>> prompts;  // token ids; lengths may differ, none may be empty
  int64_t max_new_tokens = 128;
  SamplingOptions sampling;
  std::set<int32_t> stop_ids;  // a row ends when one is drawn; it is not part of the output
  // Called for every new token of a row; returning false ends the row (stop strings).
  std::function<bool(size_t row, int32_t id)> on_token;
};

enum class FinishReason { length, stop_token, stopped };
std::string to_string(FinishReason reason);

struct Generation {
  std::vector<int32_t> ids;  // new tokens
  FinishReason reason = FinishReason::length;
};

// Tokens whose keys and values a later request of one row may reuse (chat turns).
struct PrefixCache {
  std::unique_ptr<KvCache> cache;
  std::vector<int32_t> tokens;
};

// Answers of a row do not depend on the other rows. Throws Error when prompt plus new tokens exceed the
// model's positions. `prefix` is used and updated for requests of exactly one prompt.
std::vector<Generation> generate(Model& model, const GenerationRequest& request,
                                 PrefixCache* prefix = nullptr);

}  // namespace mindspeed
