#include "front/tokenizer/pipeline/normalizer.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/unicode/regex.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kNormalizer = "normalizer";

Normalizer make_form(UnicodeForm form) {
  return [form](std::string_view text) { return normal_form(text, form); };
}

Normalizer make_replace(const Json& component) {
  const PatternSource pattern = get_pattern(component, kNormalizer);
  const std::string content = get_string(component, kNormalizer, "content", "");
  const std::shared_ptr<const Regex> regex =
      pattern.is_regex ? std::make_shared<const Regex>(pattern.text, RegexDialect::oniguruma) : nullptr;
  return [regex, content, literal = pattern.text](std::string_view text) {
    std::string out;
    MatchScratch scratch;
    size_t done = 0;
    size_t from = 0;
    while (from <= text.size()) {
      std::optional<Match> match;
      if (regex) {
        match = regex->find(text, from, scratch);
      } else if (const size_t at = text.find(literal, from); at != std::string_view::npos) {
        match = Match{at, at + literal.size()};
      }
      if (!match) break;
      out += text.substr(done, match->begin - done);
      out += content;
      done = match->end;
      from = match->end;
      if (match->begin == match->end) from += from < text.size() ? character_length(text, from) : 1;
    }
    out += text.substr(std::min(done, text.size()));
    return out;
  };
}

Normalizer make_strip(bool left, bool right) {
  return [left, right](std::string_view text) {
    size_t begin = 0;
    while (left && begin < text.size() && is_space(character_at(text, begin)))
      begin += character_length(text, begin);
    size_t end = begin;  // past the last character that stays
    for (size_t i = begin; i < text.size(); i += character_length(text, i))
      if (!right || !is_space(character_at(text, i))) end = i + character_length(text, i);
    return std::string(text.substr(begin, end - begin));
  };
}

// The blocks that BERT's own code names, as HF tokenizers has them (its fifth block begins at U+2B920).
bool is_bert_chinese(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

// Controls go, white space becomes a space, and a Chinese character stands between spaces.
std::string clean_for_bert(std::string_view text, bool clean, bool chinese) {
  std::string out;
  for (size_t i = 0; i < text.size(); i += character_length(text, i)) {
    const char32_t c = character_at(text, i);
    const bool white = c == '\t' || c == '\n' || c == '\r' || is_space(c);
    if (clean && (c == 0 || c == 0xfffd || (!(c == '\t' || c == '\n' || c == '\r') && is_other(c)))) continue;
    if (clean && white)
      out += ' ';
    else if (chinese && is_bert_chinese(c))
      (out += ' ').append(text.substr(i, character_length(text, i))) += ' ';
    else
      out += text.substr(i, character_length(text, i));
  }
  return out;
}

Normalizer make_bert(const Json& component) {
  require_known_keys(component, kNormalizer,
                     {"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
  const bool clean = get_bool(component, kNormalizer, "clean_text", true);
  const bool chinese = get_bool(component, kNormalizer, "handle_chinese_chars", true);
  const bool lower = get_bool(component, kNormalizer, "lowercase", true);
  const bool strip = get_bool(component, kNormalizer, "strip_accents", lower);  // null: as lowercase
  return [=](std::string_view text) {
    std::string out = clean_for_bert(text, clean, chinese);
    if (strip) out = without_marks(normal_form(out, UnicodeForm::nfd));
    return lower ? lower_case(out) : out;
  };
}

Normalizer make_sequence(const Json& component) {
  std::vector<Normalizer> parts;
  for (const Json& part : get_array(component, kNormalizer, "normalizers"))
    if (Normalizer made = make_normalizer(part)) parts.push_back(std::move(made));
  if (parts.empty()) return {};
  return [parts](std::string_view text) {
    std::string out(text);
    for (const Normalizer& part : parts) out = part(out);
    return out;
  };
}

}  // namespace

Normalizer make_normalizer(const Json& component) {
  if (component.is_null()) return {};
  const std::string type = type_of(component, kNormalizer);
  if (type == "Sequence") {
    require_known_keys(component, kNormalizer, {"normalizers"});
    return make_sequence(component);
  }
  if (type == "Replace") {
    require_known_keys(component, kNormalizer, {"pattern", "content"});
    return make_replace(component);
  }
  if (type == "Prepend") {
    require_known_keys(component, kNormalizer, {"prepend"});
    return [prefix = get_string(component, kNormalizer, "prepend", "")](std::string_view text) {
      return text.empty() ? std::string() : prefix + std::string(text);
    };
  }
  if (type == "Strip") {
    require_known_keys(component, kNormalizer, {"strip_left", "strip_right"});
    return make_strip(get_bool(component, kNormalizer, "strip_left", true),
                      get_bool(component, kNormalizer, "strip_right", true));
  }
  if (type == "BertNormalizer") return make_bert(component);
  require_known_keys(component, kNormalizer, {});
  if (type == "NFC") return make_form(UnicodeForm::nfc);
  if (type == "NFD") return make_form(UnicodeForm::nfd);
  if (type == "NFKC") return make_form(UnicodeForm::nfkc);
  if (type == "NFKD") return make_form(UnicodeForm::nfkd);
  if (type == "Lowercase") return lower_case;
  if (type == "StripAccents") return without_marks;
  refuse_component(kNormalizer, type);
}

}  // namespace mindspeed::tokenization
