// Methods of Python's str.
#include <utf8proc.h>
#include <algorithm>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/methods/method_tables.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

Value list_of(std::vector<Text> parts) { return Value::list({parts.begin(), parts.end()}); }

template <Side side>
Value strip_method(const Value& self, const Arguments& arguments) {
  const Value chars = bind("strip", arguments, {{"chars", None{}}})[0];
  if (chars.is(Kind::none)) return strip(self.text(), side);
  return strip(self.text(), side, need_text("strip", chars).bytes());
}

template <bool from_right>
Value split_method(const Value& self, const Arguments& arguments) {
  const auto bound = bind("split", arguments, {{"sep", None{}}, {"maxsplit", int64_t{-1}}});
  const int64_t limit = need_integer("split", bound[1]);
  if (bound[0].is(Kind::none)) return list_of(split(self.text(), {}, limit, from_right));
  const std::string& separator = need_text("split", bound[0]).bytes();
  if (separator.empty()) raise("empty separator");
  return list_of(split(self.text(), separator, limit, from_right));
}

// startswith and endswith: a string or a tuple of them, within an optional slice.
template <bool at_start>
Value affix_method(const Value& self, const Arguments& arguments) {
  const auto bound = bind(at_start ? "startswith" : "endswith", arguments,
                          {{"affix", {}}, {"start", None{}}, {"end", None{}}});
  const Value part = get_slice(self, bound[1], bound[2], None{});
  const std::string& bytes = part.text().bytes();
  const auto matches = [&](const Value& affix) {
    const std::string& wanted = need_text("startswith", affix).bytes();
    return at_start ? bytes.starts_with(wanted) : bytes.ends_with(wanted);
  };
  if (bound[0].is(Kind::sequence) && bound[0].sequence().type == Sequence::Type::tuple)
    return std::any_of(bound[0].sequence().items.begin(), bound[0].sequence().items.end(), matches);
  return matches(bound[0]);
}

Value replace_method(const Value& self, const Arguments& arguments) {
  const auto bound = bind("replace", arguments, {{"old", {}}, {"new", {}}, {"count", int64_t{-1}}});
  return replace(self.text(), need_text("replace", bound[0]).bytes(), need_text("replace", bound[1]),
                 need_integer("replace", bound[2]));
}

Value join_method(const Value& self, const Arguments& arguments) {
  std::vector<Text> parts;
  for (const Value& item : iterate(bind("join", arguments, {{"iterable", {}}})[0]))
    parts.push_back(need_text("join", item));
  return join(self.text(), parts);
}

// find, rfind and index, in code points.
template <bool from_right, bool raises>
Value find_method_of(const Value& self, const Arguments& arguments) {
  const auto bound = bind("find", arguments, {{"sub", {}}});
  const std::string& bytes = self.text().bytes();
  const std::string& wanted = need_text("find", bound[0]).bytes();
  const size_t found = from_right ? bytes.rfind(wanted) : bytes.find(wanted);
  if (found == std::string::npos && raises) raise("substring not found");
  if (found == std::string::npos) return int64_t{-1};
  return static_cast<int64_t>(self.text().slice(0, found).length());
}

Value count_text(const Value& self, const Arguments& arguments) {
  const std::string& wanted = need_text("count", bind("count", arguments, {{"sub", {}}})[0]).bytes();
  if (wanted.empty()) return length(self) + 1;
  return static_cast<int64_t>(split(self.text(), wanted, -1, false).size()) - 1;
}

template <Text (*mapping)(const Text&)>
Value mapped_self(const Value& self, const Arguments& arguments) {
  bind("case mapping", arguments, {});
  return mapping(self.text());
}

Value splitlines_method(const Value& self, const Arguments& arguments) {
  return list_of(split_lines(self.text(), truthy(bind("splitlines", arguments, {{"keepends", false}})[0])));
}

template <bool prefix>
Value remove_affix(const Value& self, const Arguments& arguments) {
  const std::string& affix = need_text("remove", bind("remove", arguments, {{"affix", {}}})[0]).bytes();
  const Text& text = self.text();
  if (prefix && text.bytes().starts_with(affix)) return text.slice(affix.size(), text.size());
  if (!prefix && text.bytes().ends_with(affix)) return text.slice(0, text.size() - affix.size());
  return self;
}

// True if there is a code point and all of them satisfy the predicate.
template <bool (*predicate)(char32_t)>
Value all_of_text(const Value& self, const Arguments& arguments) {
  bind("is...", arguments, {});
  const std::string& bytes = self.text().bytes();
  for (size_t offset = 0; offset < bytes.size();)
    if (!predicate(next_code_point(bytes, offset))) return false;
  return !bytes.empty();
}

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }
bool is_letter(char32_t c) {
  return category(c) >= UTF8PROC_CATEGORY_LU && category(c) <= UTF8PROC_CATEGORY_LO;
}
// Python also takes superscripts and other digits of category No for digits; they are not taken here.
bool is_digit(char32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }
bool is_letter_or_number(char32_t c) {
  return is_letter(c) || (category(c) >= UTF8PROC_CATEGORY_ND && category(c) <= UTF8PROC_CATEGORY_NO);
}

Value isupper_method(const Value& self, const Arguments& arguments) {
  bind("isupper", arguments, {});
  return upper(self.text()).bytes() == self.text().bytes() &&
         lower(self.text()).bytes() != self.text().bytes();
}
Value islower_method(const Value& self, const Arguments& arguments) {
  bind("islower", arguments, {});
  return lower(self.text()).bytes() == self.text().bytes() &&
         upper(self.text()).bytes() != self.text().bytes();
}

Value format_method(const Value& self, const Arguments& arguments) {
  return format_braces(self.text(), arguments);
}

}  // namespace

std::span<const Method> text_methods() {
  static constexpr Method kMethods[] = {
      {"strip", strip_method<Side::both>},
      {"lstrip", strip_method<Side::left>},
      {"rstrip", strip_method<Side::right>},
      {"split", split_method<false>},
      {"rsplit", split_method<true>},
      {"splitlines", splitlines_method},
      {"startswith", affix_method<true>},
      {"endswith", affix_method<false>},
      {"replace", replace_method},
      {"join", join_method},
      {"find", find_method_of<false, false>},
      {"rfind", find_method_of<true, false>},
      {"index", find_method_of<false, true>},
      {"count", count_text},
      {"upper", mapped_self<upper>},
      {"lower", mapped_self<lower>},
      {"title", mapped_self<title>},
      {"capitalize", mapped_self<capitalize>},
      {"format", format_method},
      {"removeprefix", remove_affix<true>},
      {"removesuffix", remove_affix<false>},
      {"isspace", all_of_text<is_space>},
      {"isdigit", all_of_text<is_digit>},
      {"isalpha", all_of_text<is_letter>},
      {"isalnum", all_of_text<is_letter_or_number>},
      {"isupper", isupper_method},
      {"islower", islower_method},
  };
  return kMethods;
}

}  // namespace mindspeed::jinja
