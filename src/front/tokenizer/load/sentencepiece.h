// SentencePiece's .model files (a protobuf message; source: sentencepiece_model.proto).
#pragma once

#include <string>
#include <string_view>

#include "front/tokenizer/gguf_vocabulary.h"

namespace mindspeed::tokenization {

// Whether `content` begins as such a file does: with a piece.
bool is_sentencepiece(std::string_view content);

// The vocabulary in the form that GGUF gives it. `origin` is named in errors. Throws Error (exit code 2) on a
// model other than BPE and on options of the normaliser that are not supported, Error on a damaged file.
GgufVocabulary read_sentencepiece(std::string_view content, std::string_view origin);

}  // namespace mindspeed::tokenization
