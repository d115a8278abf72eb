// Rendered chat segments -> token ids: control tokens come from the template only, never from what a user
// typed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "front/tokenizer/chat_template.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

// Added tokens (control tokens, <think> and the like) are recognised inside maximal runs of template
// segments; what lies between them is encoded as plain text across segment borders. No BOS or EOS is added:
// the template has its own.
std::vector<int32_t> encode_chat(const Tokenizer& tokenizer, std::span<const ChatSegment> segments);

}  // namespace mindspeed
