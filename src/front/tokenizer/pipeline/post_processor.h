// Post-processors: special tokens around the ids of a text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "front/base/json.h"

namespace mindspeed::tokenization {

// What encode(add_special_tokens) puts around one text.
struct PostProcessor {
  std::vector<int32_t> before;
  std::vector<int32_t> after;
};

using TokenLookup = std::function<std::optional<int32_t>(std::string_view)>;

// From "post_processor" of tokenizer.json (null: nothing is added). Supports TemplateProcessing, ByteLevel,
// BertProcessing, RobertaProcessing, Sequence. Throws Error naming any other, and on ids that `lookup`
// contradicts.
PostProcessor make_post_processor(const Json& component, const TokenLookup& lookup);

}  // namespace mindspeed::tokenization
