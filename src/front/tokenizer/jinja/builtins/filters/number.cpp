// Filters that give numbers, defaults, and the look-up of filters.
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/filters/filter_tables.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

// Python's int(text, base) and float(text): surrounding white space, signs, single underscores between
// digits.
std::optional<std::string> numeric_text(const Text& text) {
  std::string cleaned;
  const std::string stripped = strip(text, Side::both).bytes();
  for (size_t i = 0; i < stripped.size(); ++i) {
    if (stripped[i] != '_') {
      cleaned += stripped[i];
      continue;
    }
    const bool between = i > 0 && i + 1 < stripped.size() &&
                         std::isalnum(static_cast<unsigned char>(stripped[i - 1])) &&
                         std::isalnum(static_cast<unsigned char>(stripped[i + 1]));
    if (!between) return {};
  }
  if (cleaned.empty()) return {};
  return cleaned;
}

std::optional<double> parse_float(const Text& text) {
  const auto cleaned = numeric_text(text);
  if (!cleaned || cleaned->find_first_of("xX(") != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(cleaned->c_str(), &end);
  if (end != cleaned->c_str() + cleaned->size()) return {};
  return value;
}

std::optional<int64_t> parse_integer(const Text& text, int base) {
  const auto cleaned = numeric_text(text);
  if (!cleaned) return {};
  std::string_view digits = *cleaned;
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  static constexpr std::pair<int, char> kPrefixes[] = {{16, 'x'}, {8, 'o'}, {2, 'b'}};
  for (const auto& [prefix_base, letter] : kPrefixes)
    if (base == prefix_base && digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == letter)
      digits.remove_prefix(2);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range) raise("int() of a number larger than 64 bits");
  if (error != std::errc() || end != digits.data() + digits.size() || digits[0] == '-') return {};
  return negative ? -value : value;
}

std::optional<int64_t> float_to_integer(double value) {
  if (std::isnan(value) || std::isinf(value)) return {};
  if (std::fabs(value) >= 9.2e18) raise("int() of a number larger than 64 bits");
  return static_cast<int64_t>(value);
}

Value to_int(const Value& input, const Arguments& arguments) {
  const auto bound = bind("int", arguments, {{"default", int64_t{0}}, {"base", int64_t{10}}});
  std::optional<int64_t> value;
  if (input.is_integral()) return input.integer();
  if (input.is(Kind::floating)) value = float_to_integer(input.floating());
  if (input.is(Kind::text)) {
    const int64_t base = need_integer("int", bound[1]);
    if (base < 2 || base > 36) raise("int() needs a base from 2 to 36");
    value = parse_integer(input.text(), static_cast<int>(base));
    if (!value)  // "42.23"|int is 42
      if (const auto number = parse_float(input.text())) value = float_to_integer(*number);
  }
  if (input.is(Kind::undefined)) raise("{}", input.hint());
  return value ? Value(*value) : bound[0];
}

Value to_float(const Value& input, const Arguments& arguments) {
  const Value fallback = bind("float", arguments, {{"default", 0.0}})[0];
  if (input.is(Kind::undefined)) raise("{}", input.hint());
  if (input.is_number()) return input.floating();
  if (input.is(Kind::text))
    if (const auto value = parse_float(input.text())) return *value;
  return fallback;
}

Value absolute(const Value& input, const Arguments& arguments) {
  bind("abs", arguments, {});
  if (input.is(Kind::floating)) return std::fabs(input.floating());
  if (!input.is_integral()) raise("bad operand type for abs(): '{}'", type_name(input));
  return input.integer() < 0 ? negate(input) : Value(input.integer());
}

// Python rounds the exact decimal value, half to even: printf does the same.
double round_decimal(double value, int64_t precision) {
  if (precision >= 0) {
    char buffer[512];
    snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(std::min<int64_t>(precision, 100)), value);
    return std::strtod(buffer, nullptr);
  }
  const double scale = std::pow(10.0, static_cast<double>(-precision));
  return std::nearbyint(value / scale) * scale;
}

Value round_number(const Value& input, const Arguments& arguments) {
  const auto bound = bind("round", arguments, {{"precision", int64_t{0}}, {"method", Text("common")}});
  const std::string& method = need_text("round", bound[1]).bytes();
  const int64_t precision = need_integer("round", bound[0]);
  if (method != "common" && method != "ceil" && method != "floor")
    raise("round() knows the methods common, ceil and floor");
  if (!input.is_number()) raise("type {} doesn't define round()", type_name(input));
  if (method == "common") {
    if (input.is_integral() && precision >= 0) return input.integer();
    const double rounded = round_decimal(input.floating(), precision);
    return input.is_integral() ? Value(static_cast<int64_t>(rounded)) : Value(rounded);
  }
  const double scale = std::pow(10.0, static_cast<double>(precision));
  const double scaled = input.floating() * scale;
  return (method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale;
}

Value count(const Value& input, const Arguments& arguments) {
  bind("length", arguments, {});
  return length(input);
}

Value word_count(const Value& input, const Arguments& arguments) {
  bind("wordcount", arguments, {});
  const Text text = to_text(input);
  int64_t words = 0;
  bool inside = false;
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = next_code_point(text.bytes(), offset);
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    const bool word = c == '_' || (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
                      (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
    words += word && !inside;
    inside = word;
  }
  return words;
}

Value default_value(const Value& input, const Arguments& arguments) {
  const auto bound = bind("default", arguments, {{"default_value", Text()}, {"boolean", false}});
  return input.is(Kind::undefined) || (truthy(bound[1]) && !truthy(input)) ? bound[0] : input;
}

}  // namespace

std::span<const NamedFilter> number_filters() {
  static constexpr NamedFilter kFilters[] = {
      {"int", to_int},           {"float", to_float},        {"abs", absolute},
      {"round", round_number},   {"length", count},          {"count", count},
      {"wordcount", word_count}, {"default", default_value}, {"d", default_value}};
  return kFilters;
}

Filter find_filter(std::string_view name) {
  static const auto filters = [] {
    std::unordered_map<std::string_view, Filter> all;
    for (const auto table : {text_filters(), number_filters(), sequence_filters(), selecting_filters()})
      for (const NamedFilter& entry : table) all.emplace(entry.name, entry.filter);
    return all;
  }();
  const auto found = filters.find(name);
  return found == filters.end() ? nullptr : found->second;
}

bool is_missing_filter(std::string_view name) {
  static constexpr std::string_view kMissing[] = {"filesizeformat", "pprint", "random",   "striptags",
                                                  "urlencode",      "urlize", "wordwrap", "xmlattr"};
  return std::find(std::begin(kMissing), std::end(kMissing), name) != std::end(kMissing);
}

}  // namespace mindspeed::jinja
