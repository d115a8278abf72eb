// What a tokenizer is made of. The loaders fill TokenizerParts; Tokenizer derives its tables from them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "front/tokenizer/model/word_model.h"
#include "front/tokenizer/pipeline/added_tokens.h"
#include "front/tokenizer/pipeline/decoder.h"
#include "front/tokenizer/pipeline/normalizer.h"
#include "front/tokenizer/pipeline/post_processor.h"
#include "front/tokenizer/pipeline/pre_tokenizer.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

// What tokenizer_config.json, special_tokens_map.json and chat_template.jinja say.
struct TokenizerConfig {
  std::optional<std::string> bos, eos, pad, unk;
  std::optional<bool> add_bos, add_eos;
  std::optional<bool> legacy;  // SentencePiece: false puts a space only before the whole text
  std::string tokenizer_class;
  std::map<std::string, std::string> chat_templates;
};

struct TokenizerParts {
  std::vector<std::optional<std::string>> tokens;  // by id, as the file spells them; added tokens included
  std::vector<AddedToken> added;
  tokenization::Normalizer normalizer;
  std::unique_ptr<const tokenization::PreTokenizer> splitter;
  std::unique_ptr<const tokenization::WordModel> model;
  bool by_bytes = false;  // words are read as bytes
  tokenization::PostProcessor post;
  tokenization::Decoder decoder;
  TokenizerConfig config;
  std::string fingerprint;
};

struct TokenizerData : TokenizerParts {
  explicit TokenizerData(TokenizerParts parts);

  std::unordered_map<std::string_view, int32_t> ids;
  std::vector<std::string> surfaces;           // decoded bytes of each id, not being the first
  std::vector<bool> special;                   // by id
  std::vector<const AddedToken*> added_by_id;  // null for tokens of the model
  std::optional<tokenization::AddedTokenMatcher> raw_matcher;         // tokens looked for in the raw text
  std::optional<tokenization::AddedTokenMatcher> normalized_matcher;  // and in the normalised text
  std::optional<int32_t> bos, eos, pad, unk;
};

struct EncodeScratch::Buffers {
  tokenization::PreTokenizeScratch split;
  tokenization::WordScratch word;
  std::vector<tokenization::Piece> pieces;
  std::vector<tokenization::AddedSegment> raw_segments;
  std::vector<tokenization::AddedSegment> segments;
  uint64_t dropped = 0;
};

// Parses tokenizer.json; `origin` is named in errors. Throws Error naming whatever is unknown.
TokenizerParts parts_from_json(std::string_view tokenizer_json, TokenizerConfig config,
                               std::string_view origin);

// Reads the files beside tokenizer.json; absent files leave their fields empty.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

}  // namespace mindspeed
