// str.format.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

constexpr int kWidest = 10000;

// [[fill]align][sign][0][width][,][.precision][type]
struct Spec {
  std::string fill = " ";
  char align = 0;
  char sign = '-';
  bool thousands = false;
  int width = 0;
  int precision = -1;
  char type = 0;
};

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

Spec parse_spec(const std::string& text) {
  Spec spec;
  size_t at = 0, after_fill = 0;
  if (!text.empty()) next_code_point(text, after_fill);
  if (after_fill && after_fill < text.size() && is_align(text[after_fill])) {
    spec.fill = text.substr(0, after_fill);
    spec.align = text[after_fill];
    at = after_fill + 1;
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[at++];
  }
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto number = [&] {
    int value = 0;
    while (peek() >= '0' && peek() <= '9' && value <= kWidest) value = value * 10 + (text[at++] - '0');
    if (value > kWidest) raise("a width in a format is larger than {}", kWidest);
    return value;
  };
  if (peek() == '+' || peek() == '-' || peek() == ' ') spec.sign = text[at++];
  if (peek() == '0' && !spec.align) {
    spec.fill = "0";
    spec.align = '=';
  }
  spec.width = number();
  if (peek() == ',') spec.thousands = text[at++];
  if (peek() == '.') {
    ++at;
    spec.precision = number();
  }
  if (at < text.size()) spec.type = text[at++];
  if (at != text.size()) raise("the format specifier '{}' is not supported", text);
  return spec;
}

std::string group_thousands(std::string digits) {
  const size_t point = std::min(digits.find('.'), digits.size());
  for (size_t i = point; i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// Digits without sign.
std::string magnitude(const Spec& spec, const Value& value) {
  const bool integer_type = std::string_view("dxXob").find(spec.type) != std::string_view::npos && spec.type;
  char buffer[600];
  if (value.is_integral() && (integer_type || !spec.type)) {
    const int64_t number = value.integer();
    const uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    const int base = (spec.type | 0x20) == 'x' ? 16 : spec.type == 'o' ? 8 : spec.type == 'b' ? 2 : 10;
    std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, size, base).ptr);
    if (spec.type == 'X') std::transform(digits.begin(), digits.end(), digits.begin(), ::toupper);
    return digits;
  }
  const double number = std::fabs(value.floating());
  if (!spec.type && spec.precision < 0) return format_float(number);
  const bool percent = spec.type == '%';
  const char type = percent ? 'f' : spec.type;
  if (std::string_view("feEgGF").find(type) == std::string_view::npos || !type)
    raise("unknown format code '{}' for object of type '{}'", spec.type ? spec.type : ' ', type_name(value));
  if (spec.precision > 100) raise("a precision in a format is larger than 100");
  const std::string pattern = std::string("%.*") + type;
  snprintf(buffer, sizeof buffer, pattern.c_str(), spec.precision < 0 ? 6 : spec.precision,
           percent ? number * 100 : number);
  return std::string(buffer) + (percent ? "%" : "");
}

Text format_value(const Value& value, const std::string& spec_text) {
  if (spec_text.empty()) return to_text(value);
  const Spec spec = parse_spec(spec_text);
  Text body;
  std::string sign;
  const bool number = value.is_number() && !(value.is(Kind::boolean) && !spec.type);
  if (number) {
    const bool negative = value.is_integral() ? value.integer() < 0 : std::signbit(value.floating());
    sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
    const std::string digits = magnitude(spec, value);
    body = Text(spec.thousands ? group_thousands(digits) : digits);
  } else {
    if (!value.is(Kind::text)) raise("unsupported format string passed to {}.__format__", type_name(value));
    if ((spec.type && spec.type != 's') || spec.align == '=')
      raise("the format '{}' is not for strings", spec_text);
    body = value.text();
    const std::vector<size_t> ends = body.code_point_ends();
    if (spec.precision >= 0) body = body.slice(0, ends[std::min<size_t>(spec.precision, ends.size() - 1)]);
  }
  const int used = static_cast<int>(body.length() + sign.size());
  const int pad = std::max(0, spec.width - used);
  const char align = spec.align ? spec.align : number ? '>' : '<';
  const int left = align == '>' || align == '=' ? pad : align == '^' ? pad / 2 : 0;
  Text out;
  if (align == '=') out.append(sign, 0);
  for (int i = 0; i < left; ++i) out.append(spec.fill, 0);
  if (align != '=') out.append(sign, 0);
  out.append(body);
  for (int i = left; i < pad; ++i) out.append(spec.fill, 0);
  return out;
}

class Formatter {
 public:
  Formatter(const Text& text, const Arguments& arguments) : text_(text), arguments_(arguments) {}

  Text run() {
    const std::string& bytes = text_.bytes();
    Text out;
    for (size_t at = 0; at < bytes.size();) {
      const size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
      out.append(text_.slice(at, brace));
      if (brace == bytes.size()) break;
      if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
        out.append(text_.slice(brace, brace + 1));
        at = brace + 2;
        continue;
      }
      const size_t close = bytes.find('}', brace);
      if (bytes[brace] == '}' || close == std::string::npos)
        raise("Single '{}' encountered in format string", bytes[brace]);
      const std::string field = bytes.substr(brace + 1, close - brace - 1);
      if (field.find('{') != std::string::npos)
        raise("nested fields in a format specifier are not supported");
      out.append(format_field(field));
      at = close + 1;
    }
    return out;
  }

 private:
  Text format_field(const std::string& field) {
    const size_t colon = std::min(field.find(':'), field.size());
    const std::string spec = colon < field.size() ? field.substr(colon + 1) : "";
    std::string name = field.substr(0, colon);
    char conversion = 0;
    if (name.size() >= 2 && name[name.size() - 2] == '!') {
      conversion = name.back();
      name.resize(name.size() - 2);
    }
    const Value value = look_up(name);
    if (conversion == 'r') return format_value(repr(value), spec);
    if (conversion == 's') return format_value(to_text(value), spec);
    if (conversion) raise("the conversion !{} is not supported", conversion);
    return format_value(value, spec);
  }

  Value look_up(const std::string& name) {
    size_t at = std::min(name.find_first_of(".["), name.size());
    Value value = argument(name.substr(0, at));
    while (at < name.size()) {
      const bool item = name[at] == '[';
      const size_t end = item ? name.find(']', at) : std::min(name.find_first_of(".[", at + 1), name.size());
      if (end == std::string::npos) raise("Missing ']' in format string");
      const std::string part = name.substr(at + 1, end - at - 1);
      if (part.empty()) raise("Empty attribute in format string");
      if (!item)
        value = get_attribute(value, part);
      else
        value = get_item(value,
                         is_number(part) ? Value(static_cast<int64_t>(std::stoll(part))) : Value(Text(part)));
      at = item ? end + 1 : end;
    }
    return value;
  }

  static bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  }

  Value argument(const std::string& name) {
    if (name.empty() || is_number(name)) {
      const Numbering wanted = name.empty() ? Numbering::automatic : Numbering::manual;
      if (numbering_ != Numbering::unknown && numbering_ != wanted)
        raise("cannot mix numbered and unnumbered fields in a format");
      numbering_ = wanted;
      const size_t index = name.empty() ? next_++ : std::stoul(name);
      if (index >= arguments_.positional.size())
        raise("Replacement index {} out of range for positional args tuple", index);
      return arguments_.positional[index];
    }
    for (const auto& [key, value] : arguments_.keyword)
      if (key == name) return value;
    raise("the format names the missing argument '{}'", name);
  }

  enum class Numbering { unknown, automatic, manual };
  const Text& text_;
  const Arguments& arguments_;
  Numbering numbering_ = Numbering::unknown;
  size_t next_ = 0;
};

}  // namespace

Text format_braces(const Text& text, const Arguments& arguments) {
  if (text.is_markup()) raise("format() of a string that went through `safe` is not supported");
  return Formatter(text, arguments).run();
}

}  // namespace mindspeed::jinja
