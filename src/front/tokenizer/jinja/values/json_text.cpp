// Values to and from JSON.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/jinja/text/escaping.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

class JsonWriter {
 public:
  explicit JsonWriter(const JsonStyle& style) : style_(style) {}
  Text take() { return std::move(out_); }

  void write(const Value& value, int depth) {
    if (depth > 900) raise("maximum recursion depth exceeded while writing JSON");
    switch (value.kind()) {
      case Kind::none:
        return out_.append("null", 0);
      case Kind::boolean:
        return out_.append(value.boolean() ? "true" : "false", 0);
      case Kind::integer:
      case Kind::floating:
        return out_.append(number(value), 0);
      case Kind::text:
        return write_text(value.text());
      case Kind::dict:
        return write_dict(value.dict(), depth);
      case Kind::sequence:
        if (value.sequence().type == Sequence::Type::list || value.sequence().type == Sequence::Type::tuple)
          return write_list(value.sequence().items, depth);
        break;
      default:
        break;
    }
    raise("Object of type {} is not JSON serializable", type_name(value));
  }

 private:
  static std::string number(const Value& value) {
    if (value.is(Kind::integer)) return std::to_string(value.integer());
    const double number = value.floating();
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    return format_float(number);
  }

  void write_text(const Text& text) {
    out_.append("\"", 0);
    append_escaped(out_, text, [this](char32_t c) { return escape(c); });
    out_.append("\"", 0);
  }

  std::string escape(char32_t c) const {
    switch (c) {
      case '"':
        return "\\\"";
      case '\\':
        return "\\\\";
      case '\n':
        return "\\n";
      case '\r':
        return "\\r";
      case '\t':
        return "\\t";
      case '\f':
        return "\\f";
      case '\b':
        return "\\b";
      default:
        break;
    }
    const auto code = static_cast<uint32_t>(c);
    if (code >= 32 && (code < 127 || !style_.ensure_ascii)) return "";
    if (code < 0x10000) return fmt::format("\\u{:04x}", code);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((code - 0x10000) >> 10),
                       0xDC00 + ((code - 0x10000) & 0x3FF));
  }

  void new_line(int depth) {
    if (!style_.indent) return;
    out_.append("\n", 0);
    for (int i = 0; i < depth; ++i) out_.append(*style_.indent, 0);
  }

  void write_list(const std::vector<Value>& items, int depth) {
    if (items.empty()) return out_.append("[]", 0);
    out_.append("[", 0);
    for (size_t i = 0; i < items.size(); ++i) {
      if (i) out_.append(style_.item_separator, 0);
      new_line(depth + 1);
      write(items[i], depth + 1);
    }
    new_line(depth);
    out_.append("]", 0);
  }

  void write_dict(const Dict& dict, int depth) {
    if (dict.entries().empty()) return out_.append("{}", 0);
    std::vector<Dict::Entry> entries = dict.entries();
    if (style_.sort_keys)
      std::stable_sort(entries.begin(), entries.end(),
                       [](const auto& a, const auto& b) { return less(a.first, b.first); });
    out_.append("{", 0);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i) out_.append(style_.item_separator, 0);
      new_line(depth + 1);
      write_key(entries[i].first);
      out_.append(style_.key_separator, 0);
      write(entries[i].second, depth + 1);
    }
    new_line(depth);
    out_.append("}", 0);
  }

  void write_key(const Value& key) {
    if (key.is(Kind::text)) return write_text(key.text());
    if (key.is(Kind::none)) return out_.append("\"null\"", 0);
    if (key.is(Kind::boolean)) return out_.append(key.boolean() ? "\"true\"" : "\"false\"", 0);
    if (key.is_number()) return out_.append("\"" + number(key) + "\"", 0);
    raise("keys must be str, int, float, bool or None, not {}", type_name(key));
  }

  const JsonStyle& style_;
  Text out_;
};

}  // namespace

Text to_json(const Value& value, const JsonStyle& style) {
  JsonWriter writer(style);
  writer.write(value, 0);
  return writer.take();
}

Value from_json(const OrderedJson& json, uint8_t marks) {
  switch (json.type()) {
    case OrderedJson::value_t::null:
      return None{};
    case OrderedJson::value_t::boolean:
      return json.get<bool>();
    case OrderedJson::value_t::number_integer:
      return json.get<int64_t>();
    case OrderedJson::value_t::number_unsigned:
      if (json.get<uint64_t>() > INT64_MAX)
        fail("chat template",
             "the number {} came in a message; integers need 64 bits with sign; write it as text",
             json.get<uint64_t>());
      return json.get<int64_t>();
    case OrderedJson::value_t::number_float:
      return json.get<double>();
    case OrderedJson::value_t::string:
      return Text(json.get<std::string>(), marks);
    case OrderedJson::value_t::array: {
      std::vector<Value> items;
      for (const auto& item : json) items.push_back(from_json(item, marks));
      return Value::list(std::move(items));
    }
    case OrderedJson::value_t::object: {
      auto dict = std::make_shared<Dict>();
      for (const auto& [key, value] : json.items()) dict->set(Text(key, marks), from_json(value, marks));
      return std::shared_ptr<const Dict>(std::move(dict));
    }
    default:
      break;
  }
  throw std::logic_error("binary or discarded JSON value in a message");
}

}  // namespace mindspeed::jinja
