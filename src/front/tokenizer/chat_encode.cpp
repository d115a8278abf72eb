#include "front/tokenizer/chat_encode.h"

#include <string>

namespace mindspeed {
namespace {

// Collects plain text until an added token cuts it.
class ChatEncoder {
 public:
  explicit ChatEncoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {
    for (const AddedToken& token : tokenizer.added_tokens()) {
      pointers_.push_back(&token);
      spellings_.push_back(token.content);
    }
    matcher_.emplace(pointers_, spellings_);
  }

  void template_run(std::string_view text) {
    std::vector<tokenization::AddedSegment> parts;
    matcher_->split(text, {.special = true, .ordinary = true}, parts);
    for (const auto& part : parts) {
      if (part.token == nullptr) {
        plain_.append(text.substr(part.begin, part.end - part.begin));
        continue;
      }
      flush();
      ids_.push_back(part.token->id);
    }
  }
  void content(std::string_view text) { plain_.append(text); }

  std::vector<int32_t> take() {
    flush();
    return std::move(ids_);
  }

 private:
  void flush() {
    if (plain_.empty()) return;
    const std::vector<int32_t> more =
        tokenizer_.encode(plain_, {.parse_special = false, .parse_added = false});
    ids_.insert(ids_.end(), more.begin(), more.end());
    plain_.clear();
  }

  const Tokenizer& tokenizer_;
  std::vector<const AddedToken*> pointers_;
  std::vector<std::string> spellings_;
  std::optional<tokenization::AddedTokenMatcher> matcher_;
  std::string plain_;
  std::vector<int32_t> ids_;
};

}  // namespace

std::vector<int32_t> encode_chat(const Tokenizer& tokenizer, std::span<const ChatSegment> segments) {
  ChatEncoder encoder(tokenizer);
  std::string run;
  for (const ChatSegment& segment : segments) {
    if (segment.from_template) {
      run += segment.text;
      continue;
    }
    encoder.template_run(run);
    run.clear();
    encoder.content(segment.text);
  }
  encoder.template_run(run);
  return encoder.take();
}

}  // namespace mindspeed
