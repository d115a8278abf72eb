#include "front/tokenizer/pipeline/word_patterns.h"

namespace mindspeed::tokenization {

std::string cl100k_words(const std::string& digits) {
  return kEnglishEndings + R"(|[^\r\n\p{L}\p{N}]?\p{L}+|)" + digits + R"(| ?[^\s\p{L}\p{N}]+[\r\n]*)" +
         kWhiteSpaceTail;
}

std::string cased_words(const std::string& ending, const std::string& digits) {
  const std::string before = R"([^\r\n\p{L}\p{N}]?)";
  const std::string capitals = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])", small = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
  return before + capitals + "*" + small + "+" + ending + "|" + before + capitals + "+" + small + "*" +
         ending + "|" + digits + R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*)" + kWhiteSpaceTail;
}

}  // namespace mindspeed::tokenization
