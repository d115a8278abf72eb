#include "front/tokenizer/pipeline/decoder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kDecoder = "decoder";

std::string replace_literal(std::string_view text, const std::string& what, const std::string& by) {
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, done)) {
    out += text.substr(done, at - done);
    out += by;
    done = at + what.size();
  }
  return out += text.substr(done);
}

std::string replace_pattern(std::string_view text, const Regex& regex, const std::string& by) {
  std::string out;
  MatchScratch scratch;
  size_t done = 0;
  while (const auto match = regex.find(text, done, scratch)) {
    if (match->begin == match->end) break;
    out += text.substr(done, match->begin - done);
    out += by;
    done = match->end;
  }
  return out += text.substr(done);
}

// "<0x0A>" -> 10
std::optional<char> byte_of(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
  int value = 0;
  for (const char c : token.substr(3, 2)) {
    const char* digits = "0123456789abcdef";
    const char lower = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    const char* at = std::find(digits, digits + 16, lower);
    if (at == digits + 16) return std::nullopt;
    value = value * 16 + static_cast<int>(at - digits);
  }
  return static_cast<char>(value);
}

std::string strip(std::string_view text, const DecodeStep& step) {
  const size_t n = step.content.size();
  for (size_t i = 0; i < step.from_start && text.starts_with(step.content); ++i) text.remove_prefix(n);
  for (size_t i = 0; i < step.from_end && text.ends_with(step.content); ++i) text.remove_suffix(n);
  return std::string(text);
}

// Every token but the first gets its prefix taken or a space put before it.
std::string join_word_piece(std::string_view token, const DecodeStep& step, bool first) {
  std::string text(token);
  if (!first) text = token.starts_with(step.content) ? text.substr(step.content.size()) : " " + text;
  if (!step.cleanup) return text;
  // The list of HF tokenizers, in its order.
  constexpr std::pair<const char*, const char*> kCleanups[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [what, by] : kCleanups) text = replace_literal(text, what, by);
  return text;
}

size_t get_count(const Json& component, std::string_view key) {
  const auto it = component.find(key);
  if (it == component.end() || !it->is_number_unsigned())
    fail("tokenizer", "decoder Strip needs a number \"{}\"", key);
  return it->get<size_t>();
}

}  // namespace

Decoder Decoder::from_json(const Json& component) {
  Decoder made;
  if (component.is_null())
    made.join_by_space_ = true;
  else
    made.add(component);
  return made;
}

Decoder Decoder::raw() { return {}; }

void Decoder::add_strip(const Json& component) {
  require_known_keys(component, kDecoder, {"content", "start", "stop"});
  const std::string character = get_string(component, kDecoder, "content", "");
  const size_t start = get_count(component, "start");
  const size_t stop = get_count(component, "stop");
  if (character.empty()) fail("tokenizer", "decoder Strip needs a character \"content\"");
  if (!fused_) {
    steps_.push_back({.kind = DecodeStep::Kind::strip,
                      .content = character,
                      .replacement = {},
                      .from_start = start,
                      .from_end = stop});
    return;
  }
  if (stop > 0)
    fail("tokenizer",
         "decoder Strip removes {} characters at the end of the whole text, which is not supported", stop);
  if (leading_.count > 0) fail("tokenizer", "decoder has two Strip steps after Fuse, which is not supported");
  leading_ = {character, start};
}

void Decoder::add(const Json& component) {
  const std::string type = type_of(component, kDecoder);
  if (type == "Sequence") {
    require_known_keys(component, kDecoder, {"decoders"});
    for (const Json& part : get_array(component, kDecoder, "decoders")) add(part);
    return;
  }
  if (type == "Strip") return add_strip(component);
  if (fused_ && type != "Fuse") fail("tokenizer", "decoder {} after Fuse is not supported", type);
  if (type == "Fuse") {
    require_known_keys(component, kDecoder, {});
    fused_ = true;
  } else if (type == "ByteLevel") {
    require_known_keys(component, kDecoder, {"add_prefix_space", "trim_offsets", "use_regex"});
    steps_.push_back({.kind = DecodeStep::Kind::byte_level, .content = {}, .replacement = {}});
  } else if (type == "ByteFallback") {
    require_known_keys(component, kDecoder, {});
    steps_.push_back({.kind = DecodeStep::Kind::byte_fallback, .content = {}, .replacement = {}});
  } else if (type == "Replace") {
    require_known_keys(component, kDecoder, {"pattern", "content"});
    const PatternSource pattern = get_pattern(component, kDecoder);
    DecodeStep step{.kind = DecodeStep::Kind::replace,
                    .content = pattern.text,
                    .replacement = get_string(component, kDecoder, "content", "")};
    if (pattern.is_regex) step.regex = std::make_shared<const Regex>(pattern.text, RegexDialect::oniguruma);
    steps_.push_back(std::move(step));
  } else if (type == "Metaspace") {
    require_known_keys(component, kDecoder,
                       {"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
    const bool legacy = get_bool(component, kDecoder, "add_prefix_space", true);
    steps_.push_back({.kind = DecodeStep::Kind::metaspace,
                      .content = get_string(component, kDecoder, "replacement", "\u2581"),
                      .replacement = {},
                      .drop_first = get_string(component, kDecoder, "prepend_scheme",
                                               legacy ? "always" : "never") != "never"});
  } else if (type == "WordPiece") {
    require_known_keys(component, kDecoder, {"prefix", "cleanup"});
    steps_.push_back({.kind = DecodeStep::Kind::word_piece,
                      .content = get_string(component, kDecoder, "prefix", "##"),
                      .replacement = {},
                      .cleanup = get_bool(component, kDecoder, "cleanup", true)});
  } else {
    refuse_component(kDecoder, type);
  }
}

bool Decoder::first_matters() const {
  return join_by_space_ || std::any_of(steps_.begin(), steps_.end(), [](const DecodeStep& step) {
           return step.drop_first || step.kind == DecodeStep::Kind::word_piece;
         });
}

std::string Decoder::text_of(std::string_view token, bool added, bool first) const {
  if (join_by_space_) return first ? std::string(token) : " " + std::string(token);
  std::string text(token);
  for (const DecodeStep& step : steps_) {
    switch (step.kind) {
      case DecodeStep::Kind::byte_level:
        if (auto bytes = added ? std::nullopt : bytes_of(text)) text = std::move(*bytes);
        break;
      case DecodeStep::Kind::byte_fallback:
        // A byte is no text yet; nothing after this step may look at it.
        if (const auto byte = byte_of(text)) return std::string(1, *byte);
        break;
      case DecodeStep::Kind::replace:
        text = step.regex ? replace_pattern(text, *step.regex, step.replacement)
                          : replace_literal(text, step.content, step.replacement);
        break;
      case DecodeStep::Kind::strip:
        text = strip(text, step);
        break;
      case DecodeStep::Kind::metaspace:
        text = replace_literal(text, step.content, first && step.drop_first ? "" : " ");
        break;
      case DecodeStep::Kind::word_piece:
        text = join_word_piece(text, step, first);
        break;
    }
  }
  return text;
}

}  // namespace mindspeed::tokenization
