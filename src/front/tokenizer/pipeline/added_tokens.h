// Added tokens: strings that are cut out of the text before the model sees it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed {

// One entry of "added_tokens" in tokenizer.json.
struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;      // a control token: skipped by decode(skip_special)
  bool normalized = false;   // looked for in the normalised text, else in the raw text
  bool single_word = false;  // only where no word character touches it
  bool lstrip = false;       // swallows white space before it
  bool rstrip = false;       // and after it
};

namespace tokenization {

// Which added tokens are recognised in a text.
struct AddedTokenFilter {
  bool special = false;
  bool ordinary = true;
};

// A part of a text: an added token, or text between (token == nullptr). Byte range [begin, end).
struct AddedSegment {
  size_t begin;
  size_t end;
  const AddedToken* token;
};

// Finds added tokens in a text: leftmost first, of those the longest. Immutable and thread-safe.
class AddedTokenMatcher {
 public:
  // `spelling[i]` is what is looked for in place of tokens[i].content; the tokens must outlive the matcher.
  AddedTokenMatcher(const std::vector<const AddedToken*>& tokens, const std::vector<std::string>& spelling);

  // Covers `text` (valid UTF-8) without empty parts, in order.
  void split(std::string_view text, AddedTokenFilter filter, std::vector<AddedSegment>& out) const;

 private:
  struct Node {
    std::vector<std::pair<unsigned char, uint32_t>> next;
    const AddedToken* token = nullptr;
  };
  uint32_t step(uint32_t node, unsigned char byte) const;
  // The longest token at `at`; its end through `end`. nullptr if none begins there.
  const AddedToken* match(std::string_view text, size_t at, size_t& end) const;

  std::vector<Node> nodes_{1};
  std::array<bool, 256> begins_{};
};

}  // namespace tokenization
}  // namespace mindspeed
