#include "front/tokenizer/load/tekken.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/load/tiktoken.h"

namespace mindspeed::tokenization {
namespace {

// What files without "special_tokens" mean (those of 2024).
constexpr const char* kFirstSpecials[] = {"<unk>",
                                          "<s>",
                                          "</s>",
                                          "[INST]",
                                          "[/INST]",
                                          "[AVAILABLE_TOOLS]",
                                          "[/AVAILABLE_TOOLS]",
                                          "[TOOL_RESULTS]",
                                          "[/TOOL_RESULTS]",
                                          "[TOOL_CALLS]",
                                          "[IMG]",
                                          "<pad>",
                                          "[IMG_BREAK]",
                                          "[IMG_END]",
                                          "[PREFIX]",
                                          "[MIDDLE]",
                                          "[SUFFIX]",
                                          "[SYSTEM_PROMPT]",
                                          "[/SYSTEM_PROMPT]",
                                          "[TOOL_CONTENT]"};

int32_t number(const Json& object, const char* key, std::string_view origin) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number_unsigned() || it->get<uint64_t>() >= kMaxTokens)
    fail("tokenizer", "{}: \"{}\" is {}; needed a number below {}", origin, key,
         it == object.end() ? "missing" : it->dump(), kMaxTokens);
  return it->get<int32_t>();
}

std::string text(const Json& object, const char* key, std::string_view origin) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string())
    fail("tokenizer", "{}: an entry has no text \"{}\"", origin, key);
  return it->get<std::string>();
}

// Ids 0 to count - 1; what the file does not name is <SPECIAL_n>.
std::vector<std::pair<std::string, int32_t>> special_tokens(const Json& file, int32_t count,
                                                            std::string_view origin) {
  std::vector<std::string> names(static_cast<size_t>(count));
  if (const auto it = file.find("special_tokens"); it != file.end() && it->is_array()) {
    for (const Json& entry : *it) {
      const int32_t rank = number(entry, "rank", origin);
      if (rank >= count)
        fail("tokenizer", "{}: special token {} is past default_num_special_tokens {}", origin, rank, count);
      names[static_cast<size_t>(rank)] = text(entry, "token_str", origin);
    }
  } else {
    for (size_t i = 0; i < std::size(kFirstSpecials) && i < names.size(); ++i) names[i] = kFirstSpecials[i];
  }
  std::vector<std::pair<std::string, int32_t>> tokens;
  for (size_t i = 0; i < names.size(); ++i)
    tokens.emplace_back(names[i].empty() ? "<SPECIAL_" + std::to_string(i) + ">" : names[i],
                        static_cast<int32_t>(i));
  return tokens;
}

}  // namespace

bool is_tekken(const Json& file) {
  return file.is_object() && file.contains("config") && file["config"].is_object() &&
         file["config"].contains("pattern") && file.contains("vocab") && file["vocab"].is_array();
}

TokenizerParts read_tekken(const Json& file, std::string_view content, std::string_view origin) {
  const Json& config = file["config"];
  const int32_t special = number(config, "default_num_special_tokens", origin);
  const int32_t used = number(config, "default_vocab_size", origin) - special;
  TiktokenSpec spec{.pattern = text(config, "pattern", origin),
                    .special_tokens = special_tokens(file, special, origin),
                    .add_bos = true};
  const auto has = [&](const char* name) {
    return std::any_of(spec.special_tokens.begin(), spec.special_tokens.end(),
                       [&](const auto& token) { return token.first == name; });
  };
  if (has("<s>")) spec.bos = "<s>";
  if (has("</s>")) spec.eos = "</s>";
  if (has("<pad>")) spec.pad = "<pad>";
  TiktokenRanks ranks;
  for (const Json& entry : file["vocab"]) {
    const int32_t rank = number(entry, "rank", origin);
    if (rank >= used) continue;  // the file holds more than the model uses
    const auto bytes = from_base64(text(entry, "token_bytes", origin));
    if (!bytes) fail("tokenizer", "{}: token_bytes of rank {} is no BASE64", origin, rank);
    ranks.emplace_back(*bytes, rank + special);
  }
  if (ranks.size() != static_cast<size_t>(std::max(used, 0)))
    fail("tokenizer", "{}: {} of the {} tokens of the vocabulary are there", origin, ranks.size(), used);
  return parts_from_ranks(std::move(ranks), spec, content, origin);
}

}  // namespace mindspeed::tokenization
