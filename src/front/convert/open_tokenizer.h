// The tokenizer of a model, wherever it lies.
#pragma once

#include "front/base/file.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

// A Hugging Face folder, a file that Tokenizer::load reads, or a .gguf file with a vocabulary. Throws Error
// (exit code 2) when there is nothing of that kind, and the errors of Tokenizer::load and
// Tokenizer::from_gguf.
Tokenizer open_tokenizer(const fs::path& path);

// Whether open_tokenizer would find a vocabulary there: a .gguf file, or a folder that holds one.
bool has_tokenizer(const fs::path& path);

}  // namespace mindspeed
