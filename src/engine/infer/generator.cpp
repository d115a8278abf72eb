#include "engine/infer/generator.h"

#include <algorithm>

#include "engine/infer/sampling.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

// The rows still being generated.
struct Active {
  std::vector<int64_t> rows;     // number in the request
  std::vector<int64_t> lengths;  // tokens so far, prompt included
};

void check_lengths(const Model& model, const GenerationRequest& request) {
  if (model.mesh().degrees.pp > 1)
    refuse("generate",
           "pipeline-model-parallel-size {} came; generation runs on 1 stage; load the model with size 1",
           model.mesh().degrees.pp);
  check_sampling(request.sampling);
  for (const auto& prompt : request.prompts) {
    if (prompt.empty()) refuse("generate", "a prompt without tokens came; at least one token is needed");
    const int64_t needed = static_cast<int64_t>(prompt.size()) + request.max_new_tokens;
    if (needed > model.plan().model.max_position)
      refuse(
          "generate",
          "{} prompt tokens + {} new ones = {} exceed the model's {} positions; shorten the prompt or lower "
          "--max-new-tokens",
          prompt.size(), request.max_new_tokens, needed, model.plan().model.max_position);
  }
}

// Logits [B, V] after feeding tokens [B, T] at positions [B, T]; last_index [B].
at::Tensor forward(Model& model, KvCache& cache, const at::Tensor& tokens, const at::Tensor& positions,
                   const at::Tensor& last_index) {
  StepContext context;
  context.tokens = tokens;
  context.positions = positions;
  context.last_index = last_index;
  context.head = HeadMode::last_logits;
  context.cache = &cache;
  return model.stages()[0]->infer({}, context).hidden;
}

at::Tensor to_tensor(const std::vector<int64_t>& values) { return at::tensor(values, at::kLong); }

// Right-padded prompts, the first `skip` tokens left out because the cache has them.
at::Tensor prefill(Model& model, KvCache& cache, const GenerationRequest& request, int64_t skip) {
  const auto batch = static_cast<int64_t>(request.prompts.size());
  int64_t longest = 0;
  for (const auto& p : request.prompts) longest = std::max(longest, static_cast<int64_t>(p.size()) - skip);
  at::Tensor tokens = at::zeros({batch, longest}, at::kLong), last = at::zeros({batch}, at::kLong);
  for (int64_t b = 0; b < batch; ++b) {
    const auto& prompt = request.prompts[static_cast<size_t>(b)];
    for (size_t i = static_cast<size_t>(skip); i < prompt.size(); ++i)
      tokens[b][static_cast<int64_t>(i) - skip] = prompt[i];
    last[b] = static_cast<int64_t>(prompt.size()) - skip - 1;
  }
  const at::Tensor positions = (at::arange(longest, at::kLong) + skip).expand({batch, longest}).contiguous();
  return forward(model, cache, tokens, positions, last);
}

// How many leading tokens of the prompt the prefix cache already holds; at least one is always fed anew.
int64_t reusable(const PrefixCache& prefix, const std::vector<int32_t>& prompt) {
  const auto [mine, theirs] =
      std::mismatch(prefix.tokens.begin(), prefix.tokens.end(), prompt.begin(), prompt.end());
  return std::min<int64_t>(mine - prefix.tokens.begin(), static_cast<int64_t>(prompt.size()) - 1);
}

// Records the drawn tokens; returns the indices of the rows that go on.
std::vector<int64_t> accept(const std::vector<int32_t>& chosen, const GenerationRequest& request,
                            Active& active, std::vector<Generation>& out) {
  std::vector<int64_t> going;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const auto row = static_cast<size_t>(active.rows[i]);
    Generation& g = out[row];
    if (request.stop_ids.contains(chosen[i])) {
      g.reason = FinishReason::stop_token;
      continue;
    }
    g.ids.push_back(chosen[i]);
    if (request.on_token && !request.on_token(row, chosen[i])) {
      g.reason = FinishReason::stopped;
      continue;
    }
    if (static_cast<int64_t>(g.ids.size()) < request.max_new_tokens) going.push_back(static_cast<int64_t>(i));
  }
  return going;
}

}  // namespace

std::string to_string(FinishReason reason) {
  switch (reason) {
    case FinishReason::length:
      return "length";
    case FinishReason::stop_token:
      return "stop_token";
    case FinishReason::stopped:
      return "stop_string";
  }
  throw std::logic_error("unknown finish reason");
}

std::vector<Generation> generate(Model& model, const GenerationRequest& request, PrefixCache* prefix) {
  check_lengths(model, request);
  std::vector<Generation> out(request.prompts.size());
  if (request.prompts.empty() || request.max_new_tokens <= 0) return out;

  // 1. Cache: reused for a single row with a known prefix, else of the size that this request needs.
  const bool reuse = prefix != nullptr && request.prompts.size() == 1;
  std::unique_ptr<KvCache> own;
  Active active;
  int64_t longest = 0;
  for (size_t i = 0; i < request.prompts.size(); ++i) {
    active.rows.push_back(static_cast<int64_t>(i));
    active.lengths.push_back(static_cast<int64_t>(request.prompts[i].size()));
    longest = std::max(longest, active.lengths.back());
  }
  if (reuse && prefix->cache == nullptr)
    prefix->cache = std::make_unique<KvCache>(1, model.plan().model.max_position);
  if (!reuse)
    own = std::make_unique<KvCache>(static_cast<int64_t>(request.prompts.size()),
                                    longest + request.max_new_tokens);
  KvCache& cache = reuse ? *prefix->cache : *own;

  // 2. Prefill, then one token per row and step until every row has ended.
  at::Tensor logits = prefill(model, cache, request, reuse ? reusable(*prefix, request.prompts[0]) : 0);
  for (int64_t step = 0;; ++step) {
    const std::vector<int32_t> chosen = sample(logits, request.sampling, active.rows, step);
    const std::vector<int64_t> going = accept(chosen, request, active, out);
    if (going.empty()) break;
    if (going.size() < active.rows.size()) cache.select_rows(to_tensor(going));
    std::vector<int64_t> tokens, positions;
    Active next;
    for (const int64_t i : going) {
      const auto at = static_cast<size_t>(i);
      tokens.push_back(chosen[at]);
      positions.push_back(active.lengths[at]);
      next.rows.push_back(active.rows[at]);
      next.lengths.push_back(active.lengths[at] + 1);
    }
    active = std::move(next);
    const auto rows = static_cast<int64_t>(going.size());
    logits = forward(model, cache, to_tensor(tokens).view({rows, 1}), to_tensor(positions).view({rows, 1}),
                     at::zeros({rows}, at::kLong));
  }

  // 3. What a later turn may reuse: everything that was fed, which leaves out the last token drawn.
  if (reuse) {
    prefix->tokens = request.prompts[0];
    prefix->tokens.insert(prefix->tokens.end(), out[0].ids.begin(), out[0].ids.end());
    if (!out[0].ids.empty() && out[0].reason != FinishReason::stop_token) prefix->tokens.pop_back();
  }
  return out;
}

}  // namespace mindspeed
