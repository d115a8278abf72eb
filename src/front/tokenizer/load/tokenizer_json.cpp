// tokenizer.json -> TokenizerParts. Every key is read, or known not to change ids, or refused.
#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/tokenizer/load/model_json.h"
#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed {
namespace {

std::vector<AddedToken> read_added(const Json& list, std::vector<std::optional<std::string>>& tokens) {
  std::vector<AddedToken> added;
  std::set<std::string> seen;
  constexpr std::string_view place = "added_tokens";
  for (const Json& entry : list) {
    tokenization::require_known_keys(
        entry, place, {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
    AddedToken token;
    token.content = tokenization::get_string(entry, place, "content", "");
    token.id = tokenization::checked_id(entry.value("id", Json()), token.content);
    token.special = tokenization::get_bool(entry, place, "special", false);
    token.normalized = tokenization::get_bool(entry, place, "normalized", !token.special);
    token.single_word = tokenization::get_bool(entry, place, "single_word", false);
    token.lstrip = tokenization::get_bool(entry, place, "lstrip", false);
    token.rstrip = tokenization::get_bool(entry, place, "rstrip", false);
    if (!seen.insert(token.content).second)
      fail("tokenizer", "the added token \"{}\" stands twice in tokenizer.json", token.content);
    tokenization::put_token(tokens, token.id, token.content);
    added.push_back(std::move(token));
  }
  return added;
}

// An added token whose text the model knows under another id would have two ids.
void check_added(const TokenizerParts& parts) {
  std::unordered_map<std::string_view, size_t> first;
  for (size_t i = 0; i < parts.tokens.size(); ++i) {
    if (!parts.tokens[i]) continue;
    const auto [it, fresh] = first.try_emplace(*parts.tokens[i], i);
    if (!fresh) fail("tokenizer", "the token \"{}\" has the ids {} and {}", *parts.tokens[i], it->second, i);
  }
}

TokenizerParts parse(const Json& file) {
  if (!file.is_object()) fail("tokenizer", "tokenizer.json is no object");
  // Truncation and padding are the caller's affair here, as in transformers, which sets them per call.
  tokenization::require_known_keys(file, "the top level",
                                   {"version", "truncation", "padding", "added_tokens", "normalizer",
                                    "pre_tokenizer", "post_processor", "decoder", "model"});
  const auto part = [&](const char* key) { return file.value(key, Json()); };
  TokenizerParts parts;
  parts.normalizer = tokenization::make_normalizer(part("normalizer"));
  tokenization::PreTokenizerPlan plan = tokenization::make_pre_tokenizer(part("pre_tokenizer"));
  parts.splitter = std::move(plan.splitter);
  parts.by_bytes = plan.by_bytes;
  if (!file.contains("model")) fail("tokenizer", "tokenizer.json has no model");
  parts.model = tokenization::read_model(file["model"], parts.by_bytes, parts.tokens);
  if (const Json added = part("added_tokens"); !added.is_null())
    parts.added = read_added(added, parts.tokens);
  check_added(parts);
  const auto lookup = [&](std::string_view token) -> std::optional<int32_t> {
    for (size_t i = 0; i < parts.tokens.size(); ++i)
      if (parts.tokens[i] == token) return static_cast<int32_t>(i);
    return std::nullopt;
  };
  parts.post = tokenization::make_post_processor(part("post_processor"), lookup);
  parts.decoder = tokenization::Decoder::from_json(part("decoder"));
  return parts;
}

}  // namespace

TokenizerParts parts_from_json(std::string_view tokenizer_json, TokenizerConfig config,
                               std::string_view origin) {
  try {
    TokenizerParts parts = parse(parse_json(tokenizer_json, origin));
    parts.config = std::move(config);
    std::string rest;
    for (const auto& wish : {parts.config.add_bos, parts.config.add_eos})
      rest += wish ? (*wish ? '1' : '0') : '-';
    parts.fingerprint = sha256_hex(std::string(tokenizer_json) + rest + parts.config.bos.value_or("") + '\0' +
                                   parts.config.eos.value_or("") + '\0' + parts.config.tokenizer_class);
    return parts;
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + " (in " + std::string(origin) + ")", e.exit_code());
  }
}

}  // namespace mindspeed
