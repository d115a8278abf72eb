// tokenizer.json -> TokenizerParts. Every key is read, or known not to change ids, or refused.
#include <nlohmann/json.hpp>
#include <set>

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed {
namespace {

using tokenization::Bpe;
using tokenization::BpeMerge;
using tokenization::BpeOptions;

struct TextHash {
  size_t operator()(std::string_view text) const { return tokenization::WordCache::hash_of(text); }
};
// Keys point into the parsed file.
using Vocabulary = std::unordered_map<std::string_view, int32_t, TextHash>;

constexpr int64_t kMaxVocabulary = int64_t{1} << 24;  // a bigger id is a damaged file

int32_t checked_id(const Json& value, std::string_view token) {
  if (!value.is_number_integer() || value.get<int64_t>() < 0 || value.get<int64_t>() >= kMaxVocabulary)
    fail("tokenizer", "token \"{}\" has the id {}; needed a number from 0 to {}", token, value.dump(),
         kMaxVocabulary - 1);
  return value.get<int32_t>();
}

void put(std::vector<std::optional<std::string>>& tokens, int32_t id, const std::string& text) {
  const auto index = static_cast<size_t>(id);
  if (index >= tokens.size()) tokens.resize(index + 1);
  if (tokens[index] && *tokens[index] != text)
    fail("tokenizer", "id {} belongs to both \"{}\" and \"{}\"", id, *tokens[index], text);
  tokens[index] = text;
}

Vocabulary read_vocabulary(const Json& model, std::vector<std::optional<std::string>>& tokens) {
  const auto it = model.find("vocab");
  if (it == model.end() || !it->is_object()) fail("tokenizer", "the model of tokenizer.json has no vocab");
  Vocabulary vocabulary;
  vocabulary.reserve(it->size());
  for (const auto& [text, value] : it->get_ref<const Json::object_t&>()) {
    const int32_t id = checked_id(value, text);
    vocabulary.emplace(text, id);
    put(tokens, id, text);
  }
  return vocabulary;
}

// "a b" (older files) or ["a", "b"].
std::pair<std::string, std::string> merge_sides(const Json& merge, size_t line) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const size_t space = text.find(' ');
    if (space != std::string::npos && space > 0 && space + 1 < text.size() &&
        text.find(' ', space + 1) == std::string::npos)
      return {text.substr(0, space), text.substr(space + 1)};
  }
  fail("tokenizer", "merge {} of tokenizer.json is {}; needed two tokens", line, merge.dump());
}

std::vector<BpeMerge> read_merges(const Json& model, const Vocabulary& vocabulary,
                                  const std::string& prefix) {
  std::vector<BpeMerge> merges;
  const Json& list = tokenization::get_array(model, "the model", "merges");
  merges.reserve(list.size());
  for (const Json& entry : list) {
    const auto [left, right] = merge_sides(entry, merges.size());
    const bool marked = !prefix.empty() && right.starts_with(prefix);
    const auto id_of = [&, &left = left, &right = right](const std::string& text) {
      const auto it = vocabulary.find(text);
      if (it == vocabulary.end())
        fail("tokenizer", "merge {} (\"{}\" + \"{}\") needs the token \"{}\", which the vocabulary lacks",
             merges.size(), left, right, text);
      return it->second;
    };
    merges.push_back({id_of(left), id_of(right), id_of(left + (marked ? right.substr(prefix.size()) : right)),
                      static_cast<uint32_t>(merges.size())});
  }
  return merges;
}

std::unique_ptr<const Bpe> read_model(const Json& model, bool by_bytes,
                                      std::vector<std::optional<std::string>>& tokens) {
  constexpr std::string_view place = "model";
  // Files of 2020 do not write the type of a BPE model.
  const std::string type =
      !model.contains("type") && model.contains("merges") ? "BPE" : tokenization::type_of(model, place);
  if (type != "BPE") tokenization::refuse_component(place, type);
  tokenization::require_known_keys(model, place,
                                   {"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix",
                                    "fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"});
  if (model.contains("dropout") && !model["dropout"].is_null() && model["dropout"] != 0.0)
    fail("tokenizer", "the model has dropout {}: its ids are random; set it to null",
         model["dropout"].dump());
  const Vocabulary vocabulary = read_vocabulary(model, tokens);
  BpeOptions options;
  options.by_bytes = by_bytes;
  options.ignore_merges = tokenization::get_bool(model, place, "ignore_merges", false);
  options.byte_fallback = tokenization::get_bool(model, place, "byte_fallback", false);
  options.fuse_unknown = tokenization::get_bool(model, place, "fuse_unk", false);
  options.continuing_prefix = tokenization::get_string(model, place, "continuing_subword_prefix", "");
  options.end_suffix = tokenization::get_string(model, place, "end_of_word_suffix", "");
  if (by_bytes &&
      (options.byte_fallback || !options.continuing_prefix.empty() || !options.end_suffix.empty()))
    fail("tokenizer",
         "byte_fallback, continuing_subword_prefix or end_of_word_suffix together with ByteLevel is not "
         "supported");
  if (const std::string unknown = tokenization::get_string(model, place, "unk_token", ""); !unknown.empty()) {
    const auto it = vocabulary.find(unknown);
    if (it == vocabulary.end()) fail("tokenizer", "the unk_token \"{}\" is not in the vocabulary", unknown);
    options.unknown = it->second;
  }
  std::vector<std::pair<std::string, int32_t>> pieces;
  pieces.reserve(vocabulary.size());
  for (const auto& [text, id] : vocabulary) {
    if (!by_bytes)
      pieces.emplace_back(text, id);
    else if (auto bytes = tokenization::bytes_of(text))  // others can only be reached as added tokens
      pieces.emplace_back(std::move(*bytes), id);
  }
  return std::make_unique<Bpe>(std::move(pieces), read_merges(model, vocabulary, options.continuing_prefix),
                               options);
}

std::vector<AddedToken> read_added(const Json& list, std::vector<std::optional<std::string>>& tokens) {
  std::vector<AddedToken> added;
  std::set<std::string> seen;
  constexpr std::string_view place = "added_tokens";
  for (const Json& entry : list) {
    tokenization::require_known_keys(
        entry, place, {"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
    AddedToken token;
    token.content = tokenization::get_string(entry, place, "content", "");
    token.id = checked_id(entry.value("id", Json()), token.content);
    token.special = tokenization::get_bool(entry, place, "special", false);
    token.normalized = tokenization::get_bool(entry, place, "normalized", !token.special);
    token.single_word = tokenization::get_bool(entry, place, "single_word", false);
    token.lstrip = tokenization::get_bool(entry, place, "lstrip", false);
    token.rstrip = tokenization::get_bool(entry, place, "rstrip", false);
    if (!seen.insert(token.content).second)
      fail("tokenizer", "the added token \"{}\" stands twice in tokenizer.json", token.content);
    put(tokens, token.id, token.content);
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
  parts.model = read_model(file["model"], parts.by_bytes, parts.tokens);
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
