#include "front/tokenizer/tokenizer_data.h"

#include "front/base/error.h"

namespace mindspeed {
namespace {

std::optional<int32_t> special_id(const TokenizerData& data, const std::optional<std::string>& token,
                                  std::string_view role) {
  if (!token) return std::nullopt;
  const auto it = data.ids.find(*token);
  if (it == data.ids.end())
    fail("tokenizer",
         "tokenizer_config.json names \"{}\" as the {} token, but the vocabulary does not hold it", *token,
         role);
  return it->second;
}

// transformers' Llama and Gemma classes build their post-processor from these two settings; others keep the
// file's. A setting of true is honoured for all, because a BOS that was asked for must not be lost silently.
void apply_wish(std::optional<bool> wish, bool overrides, std::optional<int32_t> id, std::string_view role,
                std::vector<int32_t>& side) {
  if (!wish) return;
  if (*wish && !id)
    fail("tokenizer", "tokenizer_config.json sets add_{}_token, but names no {}_token", role, role);
  if (*wish && side.empty()) side.push_back(*id);
  if (!*wish && overrides) std::erase(side, id.value_or(-1));
}

void make_matchers(TokenizerData& data) {
  std::vector<const AddedToken*> raw;
  std::vector<const AddedToken*> normalized;
  for (const AddedToken& token : data.added) (token.normalized ? normalized : raw).push_back(&token);
  const auto spell = [&](const std::vector<const AddedToken*>& tokens, bool normalize) {
    std::vector<std::string> out;
    for (const AddedToken* token : tokens)
      out.push_back(normalize && data.normalizer ? data.normalizer(token->content) : token->content);
    return out;
  };
  if (!raw.empty()) data.raw_matcher.emplace(raw, spell(raw, false));
  if (!normalized.empty()) data.normalized_matcher.emplace(normalized, spell(normalized, true));
}

}  // namespace

TokenizerData::TokenizerData(TokenizerParts parts) : TokenizerParts(std::move(parts)) {
  special.assign(tokens.size(), false);
  added_by_id.assign(tokens.size(), nullptr);
  for (const AddedToken& token : added) {
    special[static_cast<size_t>(token.id)] = token.special;
    added_by_id[static_cast<size_t>(token.id)] = &token;
  }
  ids.reserve(tokens.size());
  surfaces.resize(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i]) continue;
    ids.try_emplace(*tokens[i], static_cast<int32_t>(i));
    surfaces[i] = decoder.text_of(*tokens[i], added_by_id[i] != nullptr, /*first=*/false);
  }
  make_matchers(*this);
  bos = special_id(*this, config.bos, "bos");
  eos = special_id(*this, config.eos, "eos");
  pad = special_id(*this, config.pad, "pad");
  unk = special_id(*this, config.unk, "unk");
  const bool overrides = config.tokenizer_class.starts_with("Llama") ||
                         config.tokenizer_class.starts_with("CodeLlama") ||
                         config.tokenizer_class.starts_with("Gemma");
  apply_wish(config.add_bos, overrides, bos, "bos", post.before);
  apply_wish(config.add_eos, overrides, eos, "eos", post.after);
}

}  // namespace mindspeed
