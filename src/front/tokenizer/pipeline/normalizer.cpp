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
