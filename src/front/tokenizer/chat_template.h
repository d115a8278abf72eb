// Chat templates: messages -> the text that a model was trained on, as transformers' apply_chat_template.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/base/json.h"
#include "front/tokenizer/jinja/template.h"

namespace mindspeed {

// Arguments of one rendering. Pointers may be null: the template then sees none.
struct ChatOptions {
  bool add_generation_prompt = false;
  const OrderedJson* tools = nullptr;      // array of JSON schemas
  const OrderedJson* documents = nullptr;  // array of objects
  const OrderedJson* extra = nullptr;      // object: further variables (enable_thinking, date_string ...)
  // Messages of these roles may hold control tokens, e.g. {"assistant"} when training on "<think>" in
  // answers.
  std::vector<std::string> trusted_roles;
  std::optional<int64_t> now_seconds;  // what strftime_now shows; the present if absent
};

// A stretch of the rendered text.
struct ChatSegment {
  std::string text;
  bool from_template;  // written by the template, or by a trusted role; false: content, whose control tokens
                       // are text
  bool generated;      // inside {% generation %}: to be learnt
};

// Why segments: "<|im_end|>" typed by a user must not become the control token. To tokenise: find the special
// tokens inside maximal runs of from_template segments only; they cut the text into pieces; encode each piece
// as plain text, across segment borders, without looking for special tokens. (Encoding segment by segment
// would change merges at the borders.)
class ChatTemplate {
 public:
  // An empty token is not set: the template sees it as undefined. `special_tokens` are further ones by name
  // ("pad_token", ...). Throws Error (exit code 2) naming line and construct if the source can't be used.
  ChatTemplate(std::string_view source, std::string bos_token, std::string eos_token,
               std::vector<std::pair<std::string, std::string>> special_tokens = {});

  // `messages`: array of objects with "role" and "content", keys in the order in which they are to be shown.
  // Null values are dropped and "thinking"/"reasoning" also given as "reasoning_content", as transformers
  // does. Throws Error naming the template's line if it refuses the messages.
  std::string render(const OrderedJson& messages, const ChatOptions& options) const;
  // The same text in pieces; neighbours differ in a flag, none is empty.
  std::vector<ChatSegment> render_segments(const OrderedJson& messages, const ChatOptions& options) const;

 private:
  jinja::Text render_text(const OrderedJson& messages, const ChatOptions& options) const;
  jinja::Template template_;
  std::vector<std::pair<std::string, std::string>> special_tokens_;
};

}  // namespace mindspeed
