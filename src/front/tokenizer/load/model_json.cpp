#include "front/tokenizer/load/model_json.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "front/base/error.h"
#include "front/tokenizer/model/bpe.h"
#include "front/tokenizer/model/word_piece.h"
#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kPlace = "model";
constexpr int64_t kMaxVocabulary = int64_t{1} << 24;  // a bigger id is a damaged file

struct TextHash {
  size_t operator()(std::string_view text) const { return WordCache::hash_of(text); }
};
// Keys point into the parsed file.
using Vocabulary = std::unordered_map<std::string_view, int32_t, TextHash>;

Vocabulary read_vocabulary(const Json& model, TokenTable& tokens) {
  const auto it = model.find("vocab");
  if (it == model.end() || !it->is_object()) fail("tokenizer", "the model of tokenizer.json has no vocab");
  Vocabulary vocabulary;
  vocabulary.reserve(it->size());
  for (const auto& [text, value] : it->get_ref<const Json::object_t&>()) {
    const int32_t id = checked_id(value, text);
    vocabulary.emplace(text, id);
    put_token(tokens, id, text);
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
  const Json& list = get_array(model, "the model", "merges");
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

std::optional<int32_t> unknown_id(const Json& model, const Vocabulary& vocabulary) {
  const std::string unknown = get_string(model, kPlace, "unk_token", "");
  if (unknown.empty()) return std::nullopt;
  const auto it = vocabulary.find(unknown);
  if (it == vocabulary.end()) fail("tokenizer", "the unk_token \"{}\" is not in the vocabulary", unknown);
  return it->second;
}

std::unique_ptr<const WordModel> read_bpe(const Json& model, bool by_bytes, TokenTable& tokens) {
  require_known_keys(model, kPlace,
                     {"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
                      "byte_fallback", "ignore_merges", "vocab", "merges"});
  if (model.contains("dropout") && !model["dropout"].is_null() && model["dropout"] != 0.0)
    fail("tokenizer", "the model has dropout {}: its ids are random; set it to null",
         model["dropout"].dump());
  const Vocabulary vocabulary = read_vocabulary(model, tokens);
  BpeOptions options;
  options.by_bytes = by_bytes;
  options.ignore_merges = get_bool(model, kPlace, "ignore_merges", false);
  options.byte_fallback = get_bool(model, kPlace, "byte_fallback", false);
  options.fuse_unknown = get_bool(model, kPlace, "fuse_unk", false);
  options.continuing_prefix = get_string(model, kPlace, "continuing_subword_prefix", "");
  options.end_suffix = get_string(model, kPlace, "end_of_word_suffix", "");
  if (by_bytes &&
      (options.byte_fallback || !options.continuing_prefix.empty() || !options.end_suffix.empty()))
    fail("tokenizer",
         "byte_fallback, continuing_subword_prefix or end_of_word_suffix together with ByteLevel is not "
         "supported");
  options.unknown = unknown_id(model, vocabulary);
  std::vector<std::pair<std::string, int32_t>> pieces;
  pieces.reserve(vocabulary.size());
  for (const auto& [text, id] : vocabulary) {
    if (!by_bytes)
      pieces.emplace_back(text, id);
    else if (auto bytes = bytes_of(text))  // others can only be reached as added tokens
      pieces.emplace_back(std::move(*bytes), id);
  }
  return std::make_unique<Bpe>(std::move(pieces), read_merges(model, vocabulary, options.continuing_prefix),
                               options);
}

std::unique_ptr<const WordModel> read_word_piece(const Json& model, TokenTable& tokens) {
  require_known_keys(model, kPlace,
                     {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"});
  const Vocabulary vocabulary = read_vocabulary(model, tokens);
  WordPieceOptions options;
  options.continuing_prefix = get_string(model, kPlace, "continuing_subword_prefix", "##");
  if (const auto it = model.find("max_input_chars_per_word"); it != model.end()) {
    if (!it->is_number_unsigned())
      fail("tokenizer", "max_input_chars_per_word of the model is {}; needed a number", it->dump());
    options.max_characters = it->get<size_t>();
  }
  const auto unknown = unknown_id(model, vocabulary);
  if (!unknown) fail("tokenizer", "a WordPiece model needs an unk_token");
  options.unknown = *unknown;
  return std::make_unique<WordPiece>(
      std::vector<std::pair<std::string, int32_t>>(vocabulary.begin(), vocabulary.end()), options);
}

}  // namespace

int32_t checked_id(const Json& value, std::string_view token) {
  if (!value.is_number_integer() || value.get<int64_t>() < 0 || value.get<int64_t>() >= kMaxVocabulary)
    fail("tokenizer", "token \"{}\" has the id {}; needed a number from 0 to {}", token, value.dump(),
         kMaxVocabulary - 1);
  return value.get<int32_t>();
}

void put_token(TokenTable& tokens, int32_t id, const std::string& text) {
  const auto index = static_cast<size_t>(id);
  if (index >= tokens.size()) tokens.resize(index + 1);
  if (tokens[index] && *tokens[index] != text)
    fail("tokenizer", "id {} belongs to both \"{}\" and \"{}\"", id, *tokens[index], text);
  tokens[index] = text;
}

std::unique_ptr<const WordModel> read_model(const Json& model, bool by_bytes, TokenTable& tokens) {
  // Files of 2020 do not write the type of a BPE model.
  const std::string type =
      !model.contains("type") && model.contains("merges") ? "BPE" : type_of(model, kPlace);
  if (type == "BPE") return read_bpe(model, by_bytes, tokens);
  if (type != "WordPiece") refuse_component(kPlace, type);
  if (by_bytes) fail("tokenizer", "a WordPiece model after the pre_tokenizer ByteLevel is not supported");
  return read_word_piece(model, tokens);
}

}  // namespace mindspeed::tokenization
