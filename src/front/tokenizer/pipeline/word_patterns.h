// The regular expressions that cut a text into words, as many models share them; valid in both dialects.
#pragma once

#include <string>
#include <string_view>

namespace mindspeed::tokenization {

// GPT-2's words.
inline constexpr std::string_view kGpt2Words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// English endings in either case; ends of lines, then other white space (the tail of most expressions).
inline const std::string kEnglishEndings = R"((?i:'s|'t|'re|'ve|'m|'ll|'d))";
inline const std::string kWhiteSpaceTail = R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

// cl100k_base, Llama 3 (digits "\\p{N}{1,3}"), Qwen ("\\p{N}": one digit a word).
std::string cl100k_words(const std::string& digits);

// o200k_base, Llama 4 (ending: kEnglishEndings + "?"), Tekken (none): a change from small to capital letters
// begins a word.
std::string cased_words(const std::string& ending, const std::string& digits);

}  // namespace mindspeed::tokenization
