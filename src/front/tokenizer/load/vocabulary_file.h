// Which file of a folder holds the vocabulary, and which reader it needs.
#pragma once

#include <filesystem>
#include <vector>

#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed::tokenization {

// The file of `path` (itself, if it is no folder): tokenizer.json, else tekken.json, tokenizer.model (or
// tokenizer.model.vN, tiktoken.model), *.tiktoken. Throws Error naming what is looked for if there is none,
// and if there are several of the last kind.
std::filesystem::path find_vocabulary_file(const std::filesystem::path& path);

// The candidates of a folder, in that order: one of the fixed names, or all of the others.
std::vector<std::filesystem::path> vocabulary_files(const std::filesystem::path& folder);

// Reads it by its content: a tokenizer.json, tekken, SentencePiece or tiktoken. What tokenizer_config.json
// and its like beside it say goes before what the vocabulary says itself.
TokenizerParts read_vocabulary_file(const std::filesystem::path& file);

}  // namespace mindspeed::tokenization
