#include "front/tokenizer/pipeline/added_tokens.h"

#include <algorithm>

#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

// Begin of the character that ends at `end`.
size_t character_before(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

bool touches_word(std::string_view text, size_t begin, size_t end) {
  return (begin > 0 && is_word(character_at(text, character_before(text, begin)))) ||
         (end < text.size() && is_word(character_at(text, end)));
}

}  // namespace

AddedTokenMatcher::AddedTokenMatcher(const std::vector<const AddedToken*>& tokens,
                                     const std::vector<std::string>& spelling) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (spelling[i].empty()) continue;
    uint32_t node = 0;
    for (const char c : spelling[i]) {
      const auto byte = static_cast<unsigned char>(c);
      uint32_t next = step(node, byte);
      if (next == 0) {
        next = static_cast<uint32_t>(nodes_.size());
        nodes_.emplace_back();
        nodes_[node].next.emplace_back(byte, next);
      }
      node = next;
    }
    nodes_[node].token = tokens[i];
    begins_[static_cast<unsigned char>(spelling[i][0])] = true;
  }
}

uint32_t AddedTokenMatcher::step(uint32_t node, unsigned char byte) const {
  for (const auto& [b, next] : nodes_[node].next)
    if (b == byte) return next;
  return 0;
}

const AddedToken* AddedTokenMatcher::match(std::string_view text, size_t at, size_t& end) const {
  const AddedToken* found = nullptr;
  uint32_t node = 0;
  for (size_t i = at; i < text.size(); ++i) {
    node = step(node, static_cast<unsigned char>(text[i]));
    if (node == 0) break;
    if (nodes_[node].token == nullptr) continue;
    found = nodes_[node].token;
    end = i + 1;
  }
  return found;
}

void AddedTokenMatcher::split(std::string_view text, AddedTokenFilter filter,
                              std::vector<AddedSegment>& out) const {
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    const AddedToken* token = begins_[static_cast<unsigned char>(text[at])] ? match(text, at, end) : nullptr;
    if (token == nullptr) {
      ++at;
      continue;
    }
    size_t begin = at;
    at = end;  // also a match that is not used is passed over as a whole, as in HF tokenizers
    if (!(token->special ? filter.special : filter.ordinary)) continue;
    if (token->single_word && touches_word(text, begin, end)) continue;
    while (token->lstrip && begin > done && is_space(character_at(text, character_before(text, begin))))
      begin = character_before(text, begin);
    while (token->rstrip && end < text.size() && is_space(character_at(text, end)))
      end += character_length(text, end);
    if (begin > done) out.push_back({done, begin, nullptr});
    out.push_back({begin, end, token});
    done = at = end;
  }
  if (done < text.size()) out.push_back({done, text.size(), nullptr});
}

}  // namespace mindspeed::tokenization
