#include "front/tokenizer/load/gguf_kinds.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "front/base/error.h"
#include "front/tokenizer/load/gguf_pre_tokenizers.h"
#include "front/tokenizer/pipeline/word_patterns.h"

namespace mindspeed::tokenization {
namespace {

void check(const GgufVocabulary& v) {
  if (v.tokens.empty()) fail("tokenizer", "the GGUF file has no tokens");
  if (v.token_types.size() != v.tokens.size())
    fail("tokenizer", "the GGUF file has {} tokens, but {} token types", v.tokens.size(),
         v.token_types.size());
  const bool has_bytes = v.model == "llama" || v.model == "gemma4";
  for (size_t i = 0; i < v.tokens.size(); ++i)
    if (v.token_types[i] < kNormal || v.token_types[i] > (has_bytes ? kByte : kUnused))
      refuse(
          "tokenizer",
          "token {} (\"{}\") of the GGUF file has the type {}; a vocabulary of kind \"{}\" has types 1 to {}",
          i, v.tokens[i], v.token_types[i], v.model, has_bytes ? 6 : 5);
}

OrderedJson split_json(const std::string& pattern) {
  if (pattern == R"(\p{N})") return {{"type", "Digits"}, {"individual_digits", true}};
  return {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
}

OrderedJson byte_level_words(std::vector<std::string> patterns) {
  const bool gpt2 = !patterns.empty() && patterns.back() == kGpt2Words;
  if (gpt2) patterns.pop_back();
  OrderedJson steps = OrderedJson::array();
  for (const std::string& pattern : patterns) steps.push_back(split_json(pattern));
  steps.push_back(
      {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", gpt2}});
  if (steps.size() == 1) return steps[0];
  return {{"type", "Sequence"}, {"pretokenizers", steps}};
}

OrderedJson vocabulary_json(const std::vector<std::string>& tokens) {
  OrderedJson vocabulary = OrderedJson::object();
  // ordered_json searches linearly for a key; going through its list of pairs keeps 150,000 tokens fast.
  auto& pairs = vocabulary.get_ref<OrderedJson::object_t&>();
  pairs.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) pairs.emplace_back(tokens[i], i);
  return vocabulary;
}

OrderedJson merges_json(const GgufVocabulary& v) {
  OrderedJson merges = OrderedJson::array();
  for (const std::string& merge : v.merges) {
    const size_t space = merge.find(' ', 1);
    if (space == std::string::npos)
      fail("tokenizer", "merge {} of the GGUF file is \"{}\"; needed two tokens", merges.size(), merge);
    merges.push_back(OrderedJson::array({merge.substr(0, space), merge.substr(space + 1)}));
  }
  return merges;
}

OrderedJson bpe_json(const GgufVocabulary& v, OrderedJson merges) {
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"ignore_merges", false},
          {"vocab", vocabulary_json(v.tokens)},
          {"merges", std::move(merges)}};
}

GgufKind byte_level_kind(const GgufVocabulary& v) {
  const GgufPreTokenizer& pre = gguf_pre_tokenizer(v.pre);
  GgufKind kind{.normalizer = pre.nfc ? OrderedJson{{"type", "NFC"}} : OrderedJson(),
                .pre_tokenizer = byte_level_words(pre.patterns),
                .model = bpe_json(v, merges_json(v)),
                .decoder = {{"type", "ByteLevel"},
                            {"add_prefix_space", true},
                            {"trim_offsets", true},
                            {"use_regex", true}},
                .add_bos = pre.add_bos};
  kind.model["ignore_merges"] = pre.ignore_merges;
  return kind;
}

OrderedJson replace_json(const char* what, const char* by) {
  return {{"type", "Replace"}, {"pattern", {{"String", what}}}, {"content", by}};
}

// Characters with spaces as "\u2581", and bytes for what has no token: SentencePiece's way.
GgufKind spelled_kind(const GgufVocabulary& v, OrderedJson merges, bool space_prefix) {
  constexpr const char* kSpace = "\u2581";
  GgufKind kind{.normalizer = replace_json(" ", kSpace),
                .pre_tokenizer = OrderedJson(),
                .model = bpe_json(v, std::move(merges)),
                .decoder = OrderedJson()};
  OrderedJson decoders = OrderedJson::array(
      {replace_json(kSpace, " "), OrderedJson{{"type", "ByteFallback"}}, OrderedJson{{"type", "Fuse"}}});
  if (space_prefix) decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  kind.decoder = {{"type", "Sequence"}, {"decoders", decoders}};
  if (space_prefix && v.prefix_every_text)
    kind.normalizer = {
        {"type", "Sequence"},
        {"normalizers", {OrderedJson{{"type", "Prepend"}, {"prepend", kSpace}}, kind.normalizer}}};
  if (space_prefix && !v.prefix_every_text) {
    kind.normalizer = OrderedJson();
    kind.pre_tokenizer = {
        {"type", "Metaspace"}, {"replacement", kSpace}, {"prepend_scheme", "first"}, {"split", false}};
  }
  kind.model["byte_fallback"] = v.byte_fallback;
  kind.model["fuse_unk"] = true;
  if (const int32_t unknown = v.unk.value_or(0); v.token_types.at(static_cast<size_t>(unknown)) == kUnknown)
    kind.model["unk_token"] = gguf_token(v, unknown, "unknown");
  return kind;
}

// SentencePiece's BPE joins the neighbours whose joined text has the highest score: every way to cut a piece
// in two is a merge.
OrderedJson merges_by_score(const GgufVocabulary& v) {
  if (v.scores.size() != v.tokens.size())
    fail("tokenizer", "the GGUF file has {} tokens, but {} scores", v.tokens.size(), v.scores.size());
  std::unordered_set<std::string_view> known;
  std::vector<size_t> pieces;
  for (size_t i = 0; i < v.tokens.size(); ++i) {
    const int32_t type = v.token_types[i];
    if (type != kNormal && type != kUserDefined && type != kUnused) continue;
    known.insert(v.tokens[i]);
    pieces.push_back(i);
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [&](size_t a, size_t b) { return v.scores[a] > v.scores[b]; });
  OrderedJson merges = OrderedJson::array();
  for (const size_t piece : pieces) {
    const std::string_view text = v.tokens[piece];
    for (size_t cut = 1; cut < text.size(); ++cut)
      if (known.contains(text.substr(0, cut)) && known.contains(text.substr(cut)))
        merges.push_back(OrderedJson::array({text.substr(0, cut), text.substr(cut)}));
  }
  return merges;
}

GgufKind sentence_piece_kind(const GgufVocabulary& v) {
  if (v.has_charsmap)
    refuse("tokenizer",
           "the vocabulary normalises text by a precompiled table (precompiled_charsmap), which is not "
           "supported for "
           "SentencePiece's BPE; use the model's Hugging Face folder instead");
  if (v.remove_extra_whitespaces.value_or(false))
    refuse("tokenizer",
           "the vocabulary asks for remove_extra_whitespaces, which would lose spaces of the text; use the "
           "model's "
           "Hugging Face folder instead");
  GgufKind kind = spelled_kind(v, merges_by_score(v), v.add_space_prefix.value_or(true));
  kind.add_bos = true;
  return kind;
}

// Runs of line ends are words of their own; the file's merges leave them out.
GgufKind gemma4_kind(const GgufVocabulary& v) {
  OrderedJson merges = merges_json(v);
  const auto is_lines = [](std::string_view text) {
    return text.size() > 1 && text.find_first_not_of('\n') == std::string_view::npos;
  };
  std::vector<std::string_view> lines;
  for (const std::string& token : v.tokens)
    if (is_lines(token)) lines.push_back(token);
  std::sort(lines.begin(), lines.end());
  for (const std::string_view run : lines)
    for (size_t cut = 1; cut < run.size(); ++cut)
      if (std::binary_search(lines.begin(), lines.end(), run.substr(0, cut)) || cut == 1)
        merges.push_back(OrderedJson::array({run.substr(0, cut), run.substr(cut)}));
  GgufKind kind = spelled_kind(v, std::move(merges), v.add_space_prefix.value_or(false));
  kind.pre_tokenizer = split_json(R"([^\n]+|[\n]+)");
  kind.add_bos = true;
  return kind;
}

GgufKind bert_kind(const GgufVocabulary& v) {
  const int32_t unknown = v.unk.value_or(100);
  return {.normalizer = {{"type", "BertNormalizer"},
                         {"clean_text", true},
                         {"handle_chinese_chars", true},
                         {"strip_accents", nullptr},
                         {"lowercase", true}},
          .pre_tokenizer = {{"type", "BertPreTokenizer"}},
          .model = {{"type", "WordPiece"},
                    {"unk_token", gguf_token(v, unknown, "unknown")},
                    {"continuing_subword_prefix", "##"},
                    {"max_input_chars_per_word", 100},
                    {"vocab", vocabulary_json(v.tokens)}},
          .decoder = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}},
          .add_bos = true};
}

}  // namespace

const std::string& gguf_token(const GgufVocabulary& v, int32_t id, std::string_view role) {
  if (id < 0 || static_cast<size_t>(id) >= v.tokens.size())
    fail("tokenizer", "the GGUF file's {} token is id {}, but it has {} tokens", role, id, v.tokens.size());
  return v.tokens[static_cast<size_t>(id)];
}

std::vector<std::string> word_piece_tokens(const GgufVocabulary& v) {
  constexpr std::string_view kSpace = "\u2581";
  std::vector<std::string> tokens = v.tokens;
  for (std::string& token : tokens) {
    if (token.starts_with(kSpace))
      token.erase(0, kSpace.size());
    else if (!(token.starts_with('[') && token.ends_with(']')))
      token.insert(0, "##");
  }
  return tokens;
}

GgufKind gguf_kind(const GgufVocabulary& v) {
  check(v);
  if (v.model == "gpt2") return byte_level_kind(v);
  if (v.model == "llama") return sentence_piece_kind(v);
  if (v.model == "gemma4") return gemma4_kind(v);
  if (v.model == "bert") return bert_kind(v);
  refuse("tokenizer",
         "the GGUF file's vocabulary is of kind \"{}\"; supported are gpt2 (byte-level BPE), llama "
         "(SentencePiece BPE), "
         "gemma4 and bert (WordPiece); use the model's Hugging Face folder instead",
         v.model);
}

}  // namespace mindspeed::tokenization
