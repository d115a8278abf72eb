// Regular expressions of tokenizer files, run by PCRE2 with the meaning they have in their own dialect.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// PCRE2's types; its header stays in the .cpp file.
struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace mindspeed::tokenization {

// Who wrote the pattern. `oniguruma`: tokenizer.json; `rust`: tiktoken and the fixed patterns of HF
// tokenizers.
enum class RegexDialect { oniguruma, rust };

// Memory of one search, reused over searches and expressions; one per thread.
class MatchScratch {
 public:
  MatchScratch();
  pcre2_real_match_data_8* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(pcre2_real_match_data_8* data) const;
  };
  std::unique_ptr<pcre2_real_match_data_8, Free> data_;
};

// Byte range [begin, end) of the searched text.
struct Match {
  size_t begin;
  size_t end;
};

// Immutable and thread-safe.
class Regex {
 public:
  // Throws Error with the pattern and the position on a fault, and on constructs whose meaning differs
  // between the dialect and PCRE2.
  Regex(std::string_view pattern, RegexDialect dialect);

  // The leftmost match that begins at or after byte `start`. `text` must be valid UTF-8 (it is not checked).
  std::optional<Match> find(std::string_view text, size_t start, MatchScratch& scratch) const;

 private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };
  std::string pattern_;
  std::unique_ptr<pcre2_real_code_8, Free> code_;
};

// The same pattern in PCRE2's language (white space, word characters, scripts). Exposed for its test.
std::string translate_pattern(std::string_view pattern, RegexDialect dialect);

}  // namespace mindspeed::tokenization
