#include "front/tokenizer/jinja/values/print.h"

#include <charconv>
#include <cmath>

#include "front/tokenizer/jinja/text/escaping.h"

namespace mindspeed::jinja {
namespace {

Text repr_text(const Text& text) {
  const bool has_single = text.bytes().find('\'') != std::string::npos;
  const char quote = has_single && text.bytes().find('"') == std::string::npos ? '"' : '\'';
  Text out(std::string(1, quote));
  append_escaped(out, text, [quote](char32_t c) -> std::string {
    if (c == static_cast<char32_t>(quote) || c == '\\') return std::string("\\") + static_cast<char>(c);
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (is_printable(c)) return "";
    const auto code = static_cast<uint32_t>(c);
    return c < 0x100     ? fmt::format("\\x{:02x}", code)
           : c < 0x10000 ? fmt::format("\\u{:04x}", code)
                         : fmt::format("\\U{:08x}", code);
  });
  out.append(std::string(1, quote), 0);
  return out;
}

void append_items(Text& out, const std::vector<Value>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i) out.append(", ", 0);
    out.append(repr(items[i]));
  }
}

Text repr_sequence(const Sequence& sequence) {
  using Type = Sequence::Type;
  if (sequence.type == Type::range) return Text(sequence.label);
  if (sequence.type == Type::generator) return Text("<generator object>");
  Text out;
  if (sequence.type == Type::tuple) {
    out.append("(", 0);
    append_items(out, sequence.items);
    out.append(sequence.items.size() == 1 ? ",)" : ")", 0);
    return out;
  }
  if (sequence.type == Type::keys) out.append("dict_keys(", 0);
  if (sequence.type == Type::values) out.append("dict_values(", 0);
  if (sequence.type == Type::items) out.append("dict_items(", 0);
  out.append("[", 0);
  append_items(out, sequence.items);
  out.append(sequence.type == Type::list ? "]" : "])", 0);
  return out;
}

Text repr_dict(const Dict& dict) {
  Text out("{");
  for (const auto& [key, value] : dict.entries()) {
    if (out.size() > 1) out.append(", ", 0);
    out.append(repr(key));
    out.append(": ", 0);
    out.append(repr(value));
  }
  out.append("}", 0);
  return out;
}

}  // namespace

std::string format_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific).ptr;
  const std::string_view scientific(buffer, end - buffer);
  const size_t e = scientific.find('e');
  const int exponent = std::atoi(std::string(scientific.substr(e + 1)).c_str());
  std::string digits(1, scientific[0]);
  if (e > 2) digits += scientific.substr(2, e - 2);
  std::string out = std::signbit(value) ? "-" : "";
  if (exponent < -4 || exponent >= 16) {  // Python's borders between fixed and scientific notation
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += "." + digits.substr(1);
    return out + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0) return out + "0." + std::string(-exponent - 1, '0') + digits;
  if (digits.size() <= static_cast<size_t>(exponent) + 1)
    return out + digits + std::string(exponent + 1 - digits.size(), '0') + ".0";
  return out + digits.substr(0, exponent + 1) + "." + digits.substr(exponent + 1);
}

Text repr(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return Text("Undefined");
    case Kind::none:
      return Text("None");
    case Kind::boolean:
      return Text(value.boolean() ? "True" : "False");
    case Kind::integer:
      return Text(std::to_string(value.integer()));
    case Kind::floating:
      return Text(format_float(value.floating()));
    case Kind::text:
      return repr_text(value.text());
    case Kind::sequence:
      return repr_sequence(value.sequence());
    case Kind::dict:
      return repr_dict(value.dict());
    case Kind::object:
      break;
  }
  return Text("<" + value.object().type_name() + ">");
}

Text to_text(const Value& value) {
  if (value.is(Kind::text)) return value.text();
  if (value.is(Kind::undefined)) return {};
  return repr(value);
}

}  // namespace mindspeed::jinja
