// "..." % values. Directives d i u s r c f F e E g G x X o %, with flags, width and precision.
#include <algorithm>

#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

struct Directive {
  std::optional<std::string> key;
  std::string flags;
  int width = 0;
  int precision = -1;
  char conversion = 0;
};

class Formatter {
 public:
  Formatter(const Text& text, const Value& values) : text_(text), bytes_(text.bytes()), values_(values) {
    if (values.is(Kind::sequence) && values.sequence().type == Sequence::Type::tuple)
      queue_ = values.sequence().items;
    else
      queue_ = {values};
  }

  Text run() {
    Text out;
    size_t begin = 0;
    for (size_t found; (found = bytes_.find('%', begin)) != std::string_view::npos; begin = position_) {
      out.append(text_.slice(begin, found));
      position_ = found + 1;
      const Directive directive = parse();
      if (directive.conversion == '%')
        out.append("%", text_.marks_at(found));
      else
        out.append(format(directive));
    }
    out.append(text_.slice(begin, bytes_.size()));
    // Python takes everything with [] but tuples and strings for a mapping, which may stay unused.
    const bool mapping = values_.is(Kind::dict) || values_.is(Kind::undefined) ||
                         (values_.is(Kind::sequence) && values_.sequence().type != Sequence::Type::tuple);
    if (!used_key_ && used_ < queue_.size() && !mapping)
      raise("not all arguments converted during string formatting");
    return out;
  }

 private:
  Directive parse() {
    Directive directive;
    if (peek() == '(') {
      const size_t close = bytes_.find(')', position_);
      if (close == std::string_view::npos) raise("incomplete format key");
      directive.key = std::string(bytes_.substr(position_ + 1, close - position_ - 1));
      position_ = close + 1;
    }
    while (std::string_view("-+ #0").find(peek()) != std::string_view::npos && peek())
      directive.flags += take();
    directive.width = number();
    if (peek() == '.') {
      take();
      directive.precision = number();
    }
    while (peek() == 'l' || peek() == 'h' || peek() == 'L') take();
    if (!peek()) raise("incomplete format");
    directive.conversion = take();
    return directive;
  }

  Text format(const Directive& directive) {
    const Value value = next_value(directive);
    Text out;
    if (std::string_view("sr").find(directive.conversion) != std::string_view::npos) {
      out = directive.conversion == 's' ? to_text(value) : repr(value);
      if (text_.is_markup()) out = escape_html(out);
      if (directive.precision >= 0) {
        const std::vector<size_t> ends = out.code_point_ends();
        out = out.slice(0, ends[std::min<size_t>(directive.precision, ends.size() - 1)]);
      }
    } else {
      out = Text(format_number(directive, value));
    }
    const size_t used = out.length();
    const size_t pad = directive.width > static_cast<int>(used) ? directive.width - used : 0;
    const bool left = directive.flags.find('-') != std::string::npos;
    Text padded(left ? "" : std::string(pad, ' '));
    padded.append(out);
    if (left) padded.append(std::string(pad, ' '), 0);
    return padded;
  }

  static std::string format_number(const Directive& directive, const Value& value) {
    std::string pattern = "%" + directive.flags + (directive.width ? std::to_string(directive.width) : "");
    if (directive.precision >= 0) pattern += "." + std::to_string(directive.precision);
    char buffer[512];
    if (!value.is_number())
      raise("%{} format: a number is required, not {}", directive.conversion, type_name(value));
    if (directive.width > 400 || directive.precision > 100) raise("width or precision too large in a format");
    if (std::string_view("diuxXo").find(directive.conversion) != std::string_view::npos) {
      const bool decimal = std::string_view("diu").find(directive.conversion) != std::string_view::npos;
      if (!decimal && !value.is_integral()) raise("%{} format: an integer is required", directive.conversion);
      const int64_t number = value.is_integral() ? value.integer() : static_cast<int64_t>(value.floating());
      if (!decimal && number < 0) raise("%{} of a negative number is not supported", directive.conversion);
      pattern += std::string("ll") + (decimal ? 'd' : directive.conversion);
      snprintf(buffer, sizeof buffer, pattern.c_str(), static_cast<long long>(number));
    } else if (std::string_view("fFeEgG").find(directive.conversion) != std::string_view::npos) {
      pattern += directive.conversion;
      snprintf(buffer, sizeof buffer, pattern.c_str(), value.floating());
    } else {
      raise("unsupported format character '{}'", directive.conversion);
    }
    return buffer;
  }

  Value next_value(const Directive& directive) {
    if (directive.key) {
      used_key_ = true;
      if (!values_.is(Kind::dict)) raise("format requires a mapping");
      const Value* value = values_.dict().find(*directive.key);
      if (!value) raise("the format names the missing key '{}'", *directive.key);
      return *value;
    }
    if (used_ >= queue_.size()) raise("not enough arguments for format string");
    return queue_[used_++];
  }

  int number() {
    int value = 0;
    while (peek() >= '0' && peek() <= '9' && value < 100000) value = value * 10 + (take() - '0');
    return value;
  }
  char peek() const { return position_ < bytes_.size() ? bytes_[position_] : 0; }
  char take() { return bytes_[position_++]; }

  const Text& text_;
  std::string_view bytes_;
  const Value& values_;
  std::vector<Value> queue_;
  size_t used_ = 0;
  size_t position_ = 0;
  bool used_key_ = false;
};

}  // namespace

Text format_percent(const Text& text, const Value& values) {
  const Text result = Formatter(text, values).run();
  return text.is_markup() ? result.as_markup() : result;
}

}  // namespace mindspeed::jinja
