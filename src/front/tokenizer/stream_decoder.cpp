#include "front/base/error.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed {

StreamDecoder::StreamDecoder(Tokenizer tokenizer, bool skip_special)
    : tokenizer_(std::move(tokenizer)),
      skip_special_(skip_special),
      strip_left_(tokenizer_.data_->decoder.leading_strip().count) {}

void StreamDecoder::append(int32_t id, std::string& out) {
  const TokenizerData& data = *tokenizer_.data_;
  const auto token = tokenizer_.token(id);
  if (!token)
    fail("tokenizer", "cannot decode id {}; the vocabulary has ids 0 to {}", id, tokenizer_.vocab_size() - 1);
  if (skip_special_ && tokenizer_.is_special(id)) return;
  const auto index = static_cast<size_t>(id);
  std::string leading;
  std::string_view text = data.surfaces[index];
  if (first_ && data.decoder.first_matters())
    text = leading = data.decoder.text_of(*token, data.added_by_id[index] != nullptr, true);
  first_ = false;
  const std::string& character = data.decoder.leading_strip().character;
  while (strip_left_ > 0 && !text.empty()) {
    if (text.starts_with(character)) {
      text.remove_prefix(character.size());
      --strip_left_;
    } else {
      strip_left_ = 0;
    }
  }
  out += text;
}

std::string StreamDecoder::push(int32_t id) {
  append(id, held_);
  std::string out = std::move(held_);
  const size_t tail = tokenization::incomplete_tail(out);
  held_ = out.substr(out.size() - tail);
  out.resize(out.size() - tail);
  return out;
}

std::string StreamDecoder::finish() { return std::exchange(held_, {}); }

}  // namespace mindspeed
