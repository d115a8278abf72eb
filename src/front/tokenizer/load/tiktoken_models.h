// Which model a tiktoken file belongs to: the file holds neither its pattern nor its special tokens.
#pragma once

#include <string_view>

#include "front/tokenizer/load/tiktoken.h"

namespace mindspeed::tokenization {

// The settings of the file with this content, known by its SHA-256: Qwen (1), Llama 3 to 3.3, Llama 4. Throws
// Error (exit code 2) on any other file.
TiktokenSpec tiktoken_model(std::string_view content, std::string_view origin);

}  // namespace mindspeed::tokenization
