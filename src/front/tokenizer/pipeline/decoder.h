// Decoders: token -> bytes of text, one token at a time, so that a stream gives the same bytes as a whole
// text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/json.h"
#include "front/tokenizer/unicode/regex.h"

namespace mindspeed::tokenization {

// One step of a decoder; applied to the text of a token.
struct DecodeStep {
  enum class Kind { byte_level, byte_fallback, replace, strip, metaspace, word_piece } kind;
  std::string
      content;  // replace: what is looked for; strip, metaspace: the character; word_piece: the prefix
  std::string replacement;               // replace
  std::shared_ptr<const Regex> regex{};  // replace with a pattern
  size_t from_start = 0;                 // strip
  size_t from_end = 0;
  bool drop_first = false;  // metaspace: the first token loses its mark
  bool cleanup = false;     // word_piece: no space before marks and English endings
};

// Immutable and thread-safe.
class Decoder {
 public:
  // From "decoder" of tokenizer.json; null joins tokens by spaces, as HF tokenizers does. Supports ByteLevel,
  // ByteFallback, Fuse, Strip, Replace, Metaspace, WordPiece, Sequence; throws Error naming any other and
  // orders of steps that cannot work token by token.
  static Decoder from_json(const Json& component);
  // Tokens are bytes already.
  static Decoder raw();

  // The bytes of one token. `added`: its content stands for itself in byte-level vocabularies.
  std::string text_of(std::string_view token, bool added, bool first) const;
  // True if text_of depends on `first`.
  bool first_matters() const;

  // Characters that are removed from the start of the joined text, at most `count` times.
  struct LeadingStrip {
    std::string character;
    size_t count = 0;
  };
  const LeadingStrip& leading_strip() const { return leading_; }

 private:
  void add(const Json& component);
  void add_strip(const Json& component);

  std::vector<DecodeStep> steps_;
  LeadingStrip leading_;
  bool fused_ = false;
  bool join_by_space_ = false;
};

}  // namespace mindspeed::tokenization
