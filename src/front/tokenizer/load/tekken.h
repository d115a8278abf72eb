// Mistral's tekken.json: a tiktoken vocabulary with its pattern and special tokens (source: mistral-common).
#pragma once

#include <string>
#include <string_view>

#include "front/base/json.h"
#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed::tokenization {

// Whether a JSON file is one: it has a "config" with a "pattern", and a list "vocab".
bool is_tekken(const Json& file);

// Throws Error naming `origin` on anything that is missing or does not fit.
TokenizerParts read_tekken(const Json& file, std::string_view content, std::string_view origin);

}  // namespace mindspeed::tokenization
