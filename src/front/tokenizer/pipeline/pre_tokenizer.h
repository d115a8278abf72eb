// Pre-tokenizers: text -> words; the model works inside one word.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/json.h"
#include "front/tokenizer/unicode/regex.h"

namespace mindspeed::tokenization {

// A part of the text; valid UTF-8 and not empty.
struct Piece {
  std::string_view text;
  bool at_start = false;  // begins where the whole text begins
};

// Working memory of one caller.
struct PreTokenizeScratch {
  MatchScratch match;
  std::deque<std::string> texts;  // what pieces point into when their text had to be changed
  std::vector<Piece> spare;
};

// Immutable and thread-safe.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Appends the parts of `piece` to `out`.
  virtual void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const = 0;
};

// A pre-tokenizer and whether it ends in ByteLevel: then words are to be read as bytes.
struct PreTokenizerPlan {
  std::unique_ptr<const PreTokenizer> splitter;  // null: the text is one word
  bool by_bytes = false;
};

// From "pre_tokenizer" of tokenizer.json. Supports Split, Digits, ByteLevel, Whitespace, WhitespaceSplit,
// Punctuation, BertPreTokenizer, CharDelimiterSplit, Metaspace, Sequence; throws Error naming any other, and
// on a ByteLevel that is not the last step.
PreTokenizerPlan make_pre_tokenizer(const Json& component);

// The splitter of tiktoken: the matches of one pattern, in Rust's dialect.
std::unique_ptr<const PreTokenizer> make_tiktoken_splitter(std::string_view pattern);

}  // namespace mindspeed::tokenization
