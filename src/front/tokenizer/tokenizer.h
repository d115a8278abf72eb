// Text <-> token ids. A Tokenizer is an immutable value; all its functions may be called from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "front/tokenizer/pipeline/added_tokens.h"

namespace mindspeed {

struct GgufVocabulary;
struct TokenizerData;   // tokenizer_data.h
struct TokenizerParts;  // tokenizer_data.h

struct EncodeOptions {
  // Put the file's BOS, EOS ... around the ids. Text rendered by a chat template has its own: leave this off.
  bool add_special_tokens = false;
  // Control tokens written in the text become control ids. Off for anything that a user typed.
  bool parse_special = false;
  // Added tokens that are not special (<think>, <tool_call>) are recognised. Some files list turn markers as
  // such (DeepSeek's <｜User｜>): off for text that must not forge a turn.
  bool parse_added = true;
};

// Buffers and a word cache, for callers that encode many texts; one per thread, used with one tokenizer only.
class EncodeScratch {
 public:
  EncodeScratch();
  EncodeScratch(EncodeScratch&&) noexcept;
  EncodeScratch& operator=(EncodeScratch&&) noexcept;
  ~EncodeScratch();

  struct Buffers;
  Buffers& buffers() { return *buffers_; }
  // Bytes or characters so far that no token of the vocabulary covers; like the reference, encode drops them.
  uint64_t dropped() const;

 private:
  std::unique_ptr<Buffers> buffers_;
};

class Tokenizer {
 public:
  // A folder with tokenizer.json, tekken.json, tokenizer.model (SentencePiece or tiktoken) or a .tiktoken
  // file, or such a file; beside it tokenizer_config.json, special_tokens_map.json and chat_template.jinja
  // are looked for. Throws Error naming file and component on anything that is missing, broken or unknown.
  static Tokenizer load(const std::filesystem::path& path);
  // Whether load would find one of these files in a folder.
  static bool found_in(const std::filesystem::path& folder);
  // The vocabulary of a GGUF file. Throws Error on an unknown model or pre-tokenizer name.
  static Tokenizer from_gguf(const GgufVocabulary& vocabulary);
  explicit Tokenizer(TokenizerParts parts);

  // Ids of `text`. Bytes that are not UTF-8 become the byte tokens of a byte-level vocabulary; other
  // vocabularies throw Error with the byte's position.
  std::vector<int32_t> encode(std::string_view text, EncodeOptions options = {},
                              EncodeScratch* scratch = nullptr) const;

  // The exact bytes that `ids` stand for (valid UTF-8 if the ids came from such a text; see to_valid_utf8).
  // skip_special leaves out control tokens. Throws Error on an id outside the vocabulary.
  std::string decode(std::span<const int32_t> ids, bool skip_special = false) const;

  // The token as the file spells it ("Ġthe"); nothing for ids that have none.
  std::optional<std::string_view> token(int32_t id) const;
  std::optional<int32_t> id(std::string_view token) const;
  bool is_special(int32_t id) const;

  // Largest id + 1. Models may have more rows (padding).
  int32_t vocab_size() const;
  std::optional<int32_t> bos() const;
  std::optional<int32_t> eos() const;
  std::optional<int32_t> pad() const;
  std::optional<int32_t> unk() const;
  const std::vector<AddedToken>& added_tokens() const;
  // Jinja texts by name; the usual one is "default". Empty if the files have none.
  const std::map<std::string, std::string>& chat_templates() const;
  // SHA-256 over what defines the ids; data files record it.
  const std::string& fingerprint() const;

 private:
  friend class StreamDecoder;
  std::shared_ptr<const TokenizerData> data_;
};

// Decodes ids as they come. The joined results equal Tokenizer::decode of all ids, and no result ends inside
// a UTF-8 character.
class StreamDecoder {
 public:
  explicit StreamDecoder(Tokenizer tokenizer, bool skip_special = false);
  // What `id` adds to the text; bytes of an unfinished character are held back.
  std::string push(int32_t id);
  // What is held back: the begin of a character whose end never came, or nothing.
  std::string finish();

 private:
  friend class Tokenizer;
  void append(int32_t id, std::string& out);
  Tokenizer tokenizer_;
  bool skip_special_;
  bool first_ = true;
  size_t strip_left_;  // characters that may still be removed from the start
  std::string held_;
};

}  // namespace mindspeed
