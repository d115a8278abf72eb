// Splitting at matches, with the behaviours of HF tokenizers for what happens to the matches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/tokenizer/pipeline/pre_tokenizer.h"

namespace mindspeed::tokenization {

enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// From the name in tokenizer.json ("MergedWithNext" or "merged_with_next"). Throws Error on an unknown one.
SplitBehavior behavior_of(std::string_view name);

// Splits at the matches of a regular expression; `invert` splits at what lies between them.
class RegexSplit : public PreTokenizer {
 public:
  RegexSplit(Regex regex, SplitBehavior behavior, bool invert)
      : regex_(std::move(regex)), behavior_(behavior), invert_(invert) {}
  void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const override;

 private:
  Regex regex_;
  SplitBehavior behavior_;
  bool invert_;
};

// The same at the occurrences of a string.
class LiteralSplit : public PreTokenizer {
 public:
  LiteralSplit(std::string literal, SplitBehavior behavior, bool invert)
      : literal_(std::move(literal)), behavior_(behavior), invert_(invert) {}
  void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const override;

 private:
  std::string literal_;
  SplitBehavior behavior_;
  bool invert_;
};

}  // namespace mindspeed::tokenization
