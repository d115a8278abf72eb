// The kinds of vocabularies in GGUF files, as parts of a tokenizer.json.
#pragma once

#include <string>
#include <string_view>

#include "front/base/json.h"
#include "front/tokenizer/gguf_vocabulary.h"

namespace mindspeed::tokenization {

// GGUF's numbers.
enum GgufTokenType { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

// What differs between the kinds.
struct GgufKind {
  OrderedJson normalizer, pre_tokenizer, model, decoder;
  bool add_bos = false;  // when the file does not say
};

// Checks the vocabulary and builds the parts. Throws Error (exit code 2) naming a kind or a setting that is
// not supported, and counts that do not fit.
GgufKind gguf_kind(const GgufVocabulary& vocabulary);

// BERT's pieces as its own files spell them: GGUF marks the begin of a word, they mark what goes on ("##").
std::vector<std::string> word_piece_tokens(const GgufVocabulary& vocabulary);

// The text of token `id`. Throws Error naming `role` on an id outside the vocabulary.
const std::string& gguf_token(const GgufVocabulary& vocabulary, int32_t id, std::string_view role);

}  // namespace mindspeed::tokenization
