// What the names in "tokenizer.ggml.pre" of GGUF files stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mindspeed::tokenization {

struct GgufPreTokenizer {
  std::vector<std::string> patterns;  // splits in this order (matches isolated), before the byte level
  bool nfc = false;
  bool ignore_merges = false;
  bool add_bos = false;  // when the file does not say
};

// Source: llama.cpp's llama-vocab.cpp, with the expressions of the models' own tokenizer.json. Throws Error
// (exit code 2) on an unknown name, listing the known ones, and on an empty one: a guess would give other ids
// silently.
const GgufPreTokenizer& gguf_pre_tokenizer(std::string_view name);

}  // namespace mindspeed::tokenization
