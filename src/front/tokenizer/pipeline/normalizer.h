// Normalisers: text -> text, before anything is split.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "front/base/json.h"

namespace mindspeed::tokenization {

// Thread-safe; takes and returns valid UTF-8.
using Normalizer = std::function<std::string(std::string_view)>;

// From "normalizer" of tokenizer.json; an empty function for null (nothing to do). Supports NFC, NFD, NFKC,
// NFKD, Lowercase, StripAccents, Strip, Prepend, Replace, BertNormalizer, Sequence; throws Error naming any
// other.
Normalizer make_normalizer(const Json& component);

}  // namespace mindspeed::tokenization
