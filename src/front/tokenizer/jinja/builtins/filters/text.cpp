// Filters that give strings. As in Jinja, most first turn their input into a string.
#include <algorithm>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/filters/filter_tables.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

template <Text (*mapping)(const Text&)>
Value mapped(const Value& input, const Arguments& arguments) {
  bind("case filter", arguments, {});
  return mapping(to_text(input));
}

Text same(const Text& text) { return text; }
Text as_markup(const Text& text) { return text.as_markup(); }

// The filter's words begin after white space, "-", "(", "{", "[" or "<"; the str method's after any
// non-letter.
Text title_words(const Text& text) {
  const std::vector<size_t> ends = text.code_point_ends();
  Text result;
  bool begins = true;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    size_t offset = ends[i];
    const char32_t c = next_code_point(text.bytes(), offset);
    const Text character = text.slice(ends[i], ends[i + 1]);
    result.append(begins ? upper(character) : lower(character));
    begins = is_space(c) ||
             (c < 128 && std::string_view("-(\x7b[<").find(static_cast<char>(c)) != std::string_view::npos);
  }
  return result;
}

Value trim(const Value& input, const Arguments& arguments) {
  const Value chars = bind("trim", arguments, {{"chars", None{}}})[0];
  if (chars.is(Kind::none)) return strip(to_text(input), Side::both);
  return strip(to_text(input), Side::both, need_text("trim", chars).bytes());
}

Value replace_text(const Value& input, const Arguments& arguments) {
  const auto bound = bind("replace", arguments, {{"old", {}}, {"new", {}}, {"count", None{}}});
  return replace(to_text(input), to_text(bound[0]).bytes(), to_text(bound[1]),
                 bound[2].is(Kind::none) ? -1 : need_integer("replace", bound[2]));
}

Value join_items(const Value& input, const Arguments& arguments) {
  const auto bound = bind("join", arguments, {{"d", Text()}, {"attribute", None{}}});
  std::vector<Text> parts;
  for (const Value& item : iterate(input)) parts.push_back(to_text(get_path(item, bound[1])));
  return join(to_text(bound[0]), parts);
}

Value format_text(const Value& input, const Arguments& arguments) {
  if (!arguments.positional.empty() && !arguments.keyword.empty())
    raise("format() can't take positional and keyword arguments at the same time");
  if (arguments.keyword.empty()) return format_percent(to_text(input), Value::tuple(arguments.positional));
  auto named = std::make_shared<Dict>();
  for (const auto& [name, value] : arguments.keyword) named->set(Text(name), value);
  return format_percent(to_text(input), Value(std::shared_ptr<const Dict>(std::move(named))));
}

Value indent(const Value& input, const Arguments& arguments) {
  const auto bound = bind("indent", arguments, {{"width", int64_t{4}}, {"first", false}, {"blank", false}});
  if (bound[0].is_integral() && bound[0].integer() > 10000)
    raise("indent() by {} is too wide", bound[0].integer());
  const Text indention = bound[0].is(Kind::text)
                             ? bound[0].text()
                             : Text(std::string(std::max<int64_t>(0, need_integer("indent", bound[0])), ' '));
  Text source = need_text("indent", input);
  source.append("\n", 0);
  Text result;
  const std::vector<Text> lines = split_lines(source);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i) result.append("\n", 0);
    const bool wanted = i ? truthy(bound[2]) || !lines[i].empty() : truthy(bound[1]);
    if (wanted) result.append(indention);
    result.append(lines[i]);
  }
  return result;
}

Value truncate(const Value& input, const Arguments& arguments) {
  const auto bound =
      bind("truncate", arguments,
           {{"length", int64_t{255}}, {"killwords", false}, {"end", Text("...")}, {"leeway", int64_t{5}}});
  const Text& text = need_text("truncate", input);
  const Text& end = need_text("truncate", bound[2]);
  const auto used = static_cast<int64_t>(text.length()), end_length = static_cast<int64_t>(end.length());
  const int64_t limit = need_integer("truncate", bound[0]);
  if (limit < end_length) raise("truncate() needs a length of at least {}", end_length);
  if (used <= limit + need_integer("truncate", bound[3])) return input;
  Text kept = text.slice(0, text.code_point_ends()[limit - end_length]);
  if (!truthy(bound[1])) kept = split(kept, " ", 1, true)[0];
  kept.append(end);
  return kept;
}

Value center(const Value& input, const Arguments& arguments) {
  const int64_t width = need_integer("center", bind("center", arguments, {{"width", int64_t{80}}})[0]);
  const Text text = to_text(input);
  const int64_t pad = width - static_cast<int64_t>(text.length());
  if (pad <= 0) return text;
  if (pad > 1000000) raise("center() to {} is too wide", width);
  const int64_t left = pad / 2 + (pad & width & 1);  // CPython's rounding
  Text result(std::string(left, ' '));
  result.append(text);
  result.append(std::string(pad - left, ' '), 0);
  return result;
}

Value escape(const Value& input, const Arguments& arguments) {
  bind("escape", arguments, {});
  return escape_html(to_text(input));
}

Value to_json_filter(const Value& input, const Arguments& arguments) {
  const auto bound =
      bind("tojson", arguments,
           {{"ensure_ascii", false}, {"indent", None{}}, {"separators", None{}}, {"sort_keys", false}});
  JsonStyle style;
  style.ensure_ascii = truthy(bound[0]);
  style.sort_keys = truthy(bound[3]);
  if (bound[1].is(Kind::text)) style.indent = bound[1].text().bytes();
  if (bound[1].is_integral())
    style.indent = std::string(std::clamp<int64_t>(bound[1].integer(), 0, 1000), ' ');
  if (style.indent) style.item_separator = ",";
  if (!bound[2].is(Kind::none)) {
    const std::vector<Value> separators = iterate(bound[2]);
    if (separators.size() != 2) raise("tojson() needs two separators");
    style.item_separator = need_text("tojson", separators[0]).bytes();
    style.key_separator = need_text("tojson", separators[1]).bytes();
  }
  return to_json(input, style);
}

}  // namespace

std::span<const NamedFilter> text_filters() {
  static constexpr NamedFilter kFilters[] = {
      {"string", mapped<same>},
      {"safe", mapped<as_markup>},
      {"upper", mapped<upper>},
      {"lower", mapped<lower>},
      {"capitalize", mapped<capitalize>},
      {"title", mapped<title_words>},
      {"trim", trim},
      {"replace", replace_text},
      {"join", join_items},
      {"format", format_text},
      {"indent", indent},
      {"truncate", truncate},
      {"center", center},
      {"escape", escape},
      {"e", escape},
      {"forceescape", escape},
      {"tojson", to_json_filter},
  };
  return kFilters;
}

}  // namespace mindspeed::jinja
