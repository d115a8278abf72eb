// The "model" of tokenizer.json.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/json.h"
#include "front/tokenizer/model/word_model.h"

namespace mindspeed::tokenization {

// Tokens by id, as the file spells them.
using TokenTable = std::vector<std::optional<std::string>>;

// Reads BPE and WordPiece; puts the tokens of the vocabulary into `tokens`. `by_bytes`: the pre-tokenizer
// ends in ByteLevel. Throws Error naming any other type, an unknown key, a merge or unk_token that the
// vocabulary lacks, and dropout.
std::unique_ptr<const WordModel> read_model(const Json& model, bool by_bytes, TokenTable& tokens);

// `value` as the id of `token`. Throws Error on anything but a number from 0 to 2^24 - 1.
int32_t checked_id(const Json& value, std::string_view token);

// tokens[id] = text. Throws Error if the id belongs to another text.
void put_token(TokenTable& tokens, int32_t id, const std::string& text);

}  // namespace mindspeed::tokenization
