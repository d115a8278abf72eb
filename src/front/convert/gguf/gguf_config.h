// GGUF metadata -> config.json, and the vocabulary inside a GGUF file.
#pragma once

#include <string_view>

#include "front/base/json.h"
#include "front/formats/gguf/gguf_file.h"
#include "front/tokenizer/gguf_vocabulary.h"

namespace mindspeed {

// Tensor in which llama.cpp stores the frequency factors of llama3 rope scaling.
inline constexpr std::string_view kGgufRopeFactors = "rope_freqs.weight";

// The config.json that the metadata stands for: sizes, eps, rope base and scaling, token ids, tied when there
// is no output.weight, biases when the file has them, dtype float32. Throws Error (exit code 2) naming an
// architecture, a key of the architecture or a rope scaling that is not known: each could change what the
// model computes.
Json gguf_config(const GgufFile& file);

// tokenizer.ggml.* and tokenizer.chat_template. Throws Error naming a missing key.
GgufVocabulary gguf_vocabulary(const GgufFile& file);

}  // namespace mindspeed
