// Python's str methods on marked text; each keeps the marks of the bytes it keeps.
#include <utf8proc.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "front/tokenizer/jinja/text/text.h"

namespace mindspeed::jinja {

Text strip(const Text& text, Side side, std::optional<std::string_view> chars) {
  std::u32string set;
  if (chars)
    for (size_t offset = 0; offset < chars->size();) set += next_code_point(*chars, offset);
  const auto removable = [&](char32_t c) {
    return chars ? set.find(c) != std::u32string::npos : is_space(c);
  };
  const std::string_view bytes = text.bytes();
  size_t begin = 0, end = bytes.size();
  if (side != Side::right)
    for (size_t offset = 0; offset < end && removable(next_code_point(bytes, offset));) begin = offset;
  while (side != Side::left && end > begin) {
    size_t last = end - 1;
    while (last > begin && (bytes[last] & 0xC0) == 0x80) --last;
    size_t offset = last;
    if (!removable(next_code_point(bytes, offset))) break;
    end = last;
  }
  return text.slice(begin, end);
}

namespace {

std::vector<Text> split_at_space(const Text& text, int64_t limit, bool from_right) {
  struct Word {
    size_t begin, end;
  };
  std::vector<Word> words;
  bool inside = false;
  for (size_t offset = 0; offset < text.size();) {
    const size_t begin = offset;
    const bool space = is_space(next_code_point(text.bytes(), offset));
    if (!space && !inside) words.push_back({begin, offset});
    if (!space) words.back().end = offset;
    inside = !space;
  }
  // What is left after `limit` cuts is one piece with its outer white space: ('a b ').split(None, 1) is 'a',
  // 'b '.
  if (limit >= 0 && words.size() > static_cast<size_t>(limit)) {
    if (from_right) {
      const Word rest{0, words[words.size() - limit - 1].end};
      words.erase(words.begin(), words.end() - limit);
      words.insert(words.begin(), rest);
    } else {
      words.resize(limit + 1);
      words.back().end = text.size();
    }
  }
  std::vector<Text> parts;
  for (const Word& word : words) parts.push_back(text.slice(word.begin, word.end));
  return parts;
}

}  // namespace

std::vector<Text> split(const Text& text, std::optional<std::string_view> separator, int64_t limit,
                        bool from_right) {
  if (!separator) return split_at_space(text, limit, from_right);
  std::vector<Text> parts;
  const std::string& bytes = text.bytes();
  if (!from_right) {
    size_t begin = 0;
    for (size_t found; limit != 0 && (found = bytes.find(*separator, begin)) != std::string::npos; --limit) {
      parts.push_back(text.slice(begin, found));
      begin = found + separator->size();
    }
    parts.push_back(text.slice(begin, bytes.size()));
    return parts;
  }
  size_t end = bytes.size();
  while (limit != 0 && end >= separator->size()) {
    const size_t found = bytes.rfind(*separator, end - separator->size());
    if (found == std::string::npos) break;
    parts.push_back(text.slice(found + separator->size(), end));
    end = found;
    --limit;
  }
  parts.push_back(text.slice(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Text> split_lines(const Text& text, bool keep_ends) {
  std::vector<Text> lines;
  size_t begin = 0;
  for (size_t offset = 0; offset < text.size();) {
    const size_t line_end = offset;
    const char32_t c = next_code_point(text.bytes(), offset);
    const bool breaks =
        (c >= 10 && c <= 13) || (c >= 28 && c <= 30) || c == 0x85 || c == 0x2028 || c == 0x2029;
    if (!breaks) continue;
    if (c == '\r' && offset < text.size() && text.bytes()[offset] == '\n') ++offset;
    lines.push_back(text.slice(begin, keep_ends ? offset : line_end));
    begin = offset;
  }
  if (begin < text.size()) lines.push_back(text.slice(begin, text.size()));
  return lines;
}

Text replace(const Text& text, std::string_view old_part, const Text& new_part, int64_t limit) {
  Text result;
  if (old_part.empty()) {  // Python puts the new part before every code point and at the end
    const std::vector<size_t> ends = text.code_point_ends();
    for (size_t i = 0; i < ends.size(); ++i) {
      if (limit != 0) result.append(new_part);
      if (limit > 0) --limit;
      if (i + 1 < ends.size()) result.append(text.slice(ends[i], ends[i + 1]));
    }
    return result;
  }
  size_t begin = 0;
  for (size_t found; limit != 0 && (found = text.bytes().find(old_part, begin)) != std::string::npos;
       --limit) {
    result.append(text.slice(begin, found));
    result.append(new_part);
    begin = found + old_part.size();
  }
  result.append(text.slice(begin, text.size()));
  return result;
}

Text escape_html(const Text& text) {
  if (text.is_markup()) return text;
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&", "&amp;"}, {">", "&gt;"}, {"<", "&lt;"}, {"'", "&#39;"}, {"\"", "&#34;"}};
  Text result = text;
  for (const auto& [character, entity] : kEntities)
    result = replace(result, character, Text(std::string(entity)), -1);
  return result.as_markup();
}

Text join(const Text& separator, const std::vector<Text>& parts) {
  Text result;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i) result.append(separator);
    result.append(parts[i]);
  }
  return result;
}

namespace {

// Rewrites every code point with `mapping`, keeping its marks.
Text map_code_points(const Text& text, const std::function<std::string(char32_t)>& mapping) {
  Text result;
  size_t offset = 0;
  for (const Text::Run& run : text.runs()) {
    std::string mapped;
    while (offset < run.end) mapped += mapping(next_code_point(text.bytes(), offset));
    result.append(mapped, run.marks);
  }
  return text.is_markup() ? result.as_markup() : result;
}

std::string to_upper(char32_t c) {
  if (c == 0xDF) return "SS";
  return encode_utf8(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
}

std::string to_lower(char32_t c) { return encode_utf8(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))); }

std::string to_title(char32_t c) {
  if (c == 0xDF) return "Ss";
  return encode_utf8(utf8proc_totitle(static_cast<utf8proc_int32_t>(c)));
}

bool is_cased(char32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT;
}

}  // namespace

Text upper(const Text& text) { return map_code_points(text, to_upper); }
Text lower(const Text& text) { return map_code_points(text, to_lower); }

Text capitalize(const Text& text) {
  bool first = true;
  return map_code_points(text,
                         [&](char32_t c) { return std::exchange(first, false) ? to_title(c) : to_lower(c); });
}

Text title(const Text& text) {
  bool after_cased = false;
  return map_code_points(
      text, [&](char32_t c) { return std::exchange(after_cased, is_cased(c)) ? to_lower(c) : to_title(c); });
}

}  // namespace mindspeed::jinja
