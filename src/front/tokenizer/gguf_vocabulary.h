// The vocabulary inside a GGUF file (SentencePiece's .model files are read into the same form), and the
// Hugging Face files that mean the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mindspeed {

struct TokenizerConfig;

// Metadata "tokenizer.ggml.*" and "tokenizer.chat_template" of a GGUF file; the caller reads it with
// formats/gguf.
struct GgufVocabulary {
  std::string
      model;  // tokenizer.ggml.model: "gpt2" (byte-level BPE), "llama" (SentencePiece), "gemma4", "bert"
  std::string pre;  // tokenizer.ggml.pre: "smollm", "qwen2" ...
  std::vector<std::string> tokens;
  std::vector<float> scores;         // "llama": the higher, the earlier a piece is joined
  std::vector<std::string> merges;   // "left right"
  std::vector<int32_t> token_types;  // 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte
  std::optional<int32_t> bos, eos, pad, unk, cls, sep, mask;
  std::optional<bool> add_bos, add_eos;
  std::optional<bool> add_space_prefix;  // "llama": a text begins with a space (default true)
  bool prefix_every_text = true;  // "llama": and each text after a control token; false: only the whole text
  bool byte_fallback = true;  // "llama": characters without a token become byte tokens, not the unknown token
  std::optional<bool> remove_extra_whitespaces;  // "llama": as SentencePiece's option (default false)
  bool has_charsmap = false;                     // a precompiled table of SentencePiece's normaliser
  std::optional<std::string> chat_template;
};

// Contents of files for a Hugging Face folder.
struct TokenizerFiles {
  std::string tokenizer_json;
  std::string tokenizer_config_json;
  std::string special_tokens_map_json;
  std::optional<std::string> chat_template_jinja;
};

// Tokenizer files that give the ids that the GGUF vocabulary gives. Throws Error (exit code 2) naming a
// model, a pre-tokenizer name or a token type that is not known, and counts that do not fit.
TokenizerFiles to_tokenizer_json(const GgufVocabulary& vocabulary);

// The same settings without the detour over files.
TokenizerConfig config_of(const GgufVocabulary& vocabulary);

}  // namespace mindspeed
