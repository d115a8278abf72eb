#include "front/config/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

template <class T>
std::optional<T> parse_whole(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> number(const Field& field, std::string_view word) {
  if (field.type == FieldType::real) return parse_real(word);
  const auto whole = parse_integer(word);
  return whole ? std::optional<double>(static_cast<double>(*whole)) : std::nullopt;
}

std::vector<std::string> flag_words(const std::vector<std::string>& words, std::string_view where) {
  const std::string value = words.empty() ? "true" : words[0];
  if (value == "true" || value == "True" || value == "1") return {"true"};
  if (value == "false" || value == "False" || value == "0") return {"false"};
  refuse(where, "'{}' came; a switch takes no value, or true or false", value);
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view word) { return parse_whole<int64_t>(word); }

std::optional<double> parse_real(std::string_view word) {
  const auto value = parse_whole<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string needed(const Field& field) {
  if (!field.choices.empty()) return fmt::format("one of {}", join(split(field.choices, '|'), ", "));
  if (field.type == FieldType::flag) return "true or false";
  if (field.type == FieldType::list) return "one or more words";
  if (field.type == FieldType::text) return "one word";
  std::string text = field.type == FieldType::integer ? "an integer" : "a number";
  const bool low = std::isfinite(field.low);
  const bool high = std::isfinite(field.high);
  if (low && high && field.high < rows::kLargest)  // beyond, nobody comes by accident
    return fmt::format("{} from {} to {}", text, field.low, field.high);
  if (low) return fmt::format("{} {} {}", text, field.above_low ? ">" : ">=", field.low);
  return text;
}

std::vector<std::string> check_words(const Field& field, std::vector<std::string> words,
                                     std::string_view where) {
  if (field.type == FieldType::flag) return flag_words(words, where);
  if (words.empty()) refuse(where, "no value came; {} was needed", needed(field));
  if (std::find(words.begin(), words.end(), "") != words.end())
    refuse(where, "an empty value came (an unset variable?); {} was needed, or the flag left out",
           needed(field));
  if (field.type != FieldType::list && words.size() > 1)
    refuse(where, "'{}' came; {} was needed; put quotes around a value with spaces", join(words, " "),
           needed(field));
  if (!field.choices.empty()) {
    const std::vector<std::string> choices = split(field.choices, '|');
    for (const std::string& word : words) {
      if (std::find(choices.begin(), choices.end(), word) != choices.end()) continue;
      const std::string nearest = nearest_name(word, choices);
      refuse(where, "'{}' came; {} was needed{}", word, needed(field),
             nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
    }
  }
  if (field.type != FieldType::integer && field.type != FieldType::real) return words;
  const auto value = number(field, words[0]);
  if (value && *value > field.high && field.high >= rows::kLargest)
    refuse(where, "'{}' came; at most {:.0f} is possible", words[0], field.high);
  if (!value || *value < field.low || *value > field.high || (field.above_low && *value == field.low))
    refuse(where, "'{}' came; {} was needed", words[0], needed(field));
  return words;
}

bool same_value(const Field& field, const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() == 1 && b.size() == 1 && (field.type == FieldType::integer || field.type == FieldType::real))
    return number(field, a[0]) == number(field, b[0]);
  return a == b;
}

bool is_neutral(const Field& field, const std::vector<std::string>& words) {
  if (field.type == FieldType::flag) return words == std::vector<std::string>{"false"};
  if (field.neutral.empty()) return false;
  const std::vector<std::string> values = split(field.neutral, '|');
  return std::any_of(values.begin(), values.end(),
                     [&](const std::string& value) { return same_value(field, words, {value}); });
}

}  // namespace mindspeed
