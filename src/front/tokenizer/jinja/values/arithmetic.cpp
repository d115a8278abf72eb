#include <cmath>

#include "front/tokenizer/jinja/values/operators.h"

namespace mindspeed::jinja {
namespace {

// A template must not fill the memory with "x" * 10**9.
constexpr size_t kLargestRepeat = size_t{1} << 26;

[[noreturn]] void raise_operands(std::string_view symbol, const Value& a, const Value& b) {
  if (a.is(Kind::undefined)) raise("{}", a.hint());
  if (b.is(Kind::undefined)) raise("{}", b.hint());
  raise("unsupported operand type(s) for {}: '{}' and '{}'", symbol, type_name(a), type_name(b));
}

std::string_view symbol_of(Arithmetic op) {
  switch (op) {
    case Arithmetic::add:
      return "+";
    case Arithmetic::subtract:
      return "-";
    case Arithmetic::multiply:
      return "*";
    case Arithmetic::divide:
      return "/";
    case Arithmetic::floor_divide:
      return "//";
    case Arithmetic::modulo:
      return "%";
    case Arithmetic::power:
      break;
  }
  return "**";
}

int64_t checked(bool overflow, int64_t value) {
  if (overflow) raise("integer result is larger than 64 bits");
  return value;
}

int64_t integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    const bool overflow = __builtin_mul_overflow(result, base, &result);
    checked(overflow, result);
    if (result == 0 || (result == 1 && base == 1)) break;
    if (base == -1) return exponent % 2 ? -1 : 1;
  }
  return result;
}

// Python rounds quotients towards minus infinity; the remainder has the divisor's sign.
int64_t floor_quotient(int64_t a, int64_t b) {
  if (b == -1) {
    int64_t result = 0;
    const bool overflow = __builtin_sub_overflow(int64_t{0}, a, &result);
    return checked(overflow, result);
  }
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

Value on_integers(Arithmetic op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Arithmetic::add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Arithmetic::subtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Arithmetic::multiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Arithmetic::power:
      if (b < 0) {
        if (a == 0) raise("zero to a negative power");
        return std::pow(static_cast<double>(a), static_cast<double>(b));
      }
      return integer_power(a, b);
    default:
      if (b == 0) raise("division by zero");
      if (op == Arithmetic::divide) return static_cast<double>(a) / static_cast<double>(b);
      if (op == Arithmetic::floor_divide) return floor_quotient(a, b);
      return b == -1 ? int64_t{0} : a - floor_quotient(a, b) * b;
  }
  return checked(overflow, result);
}

Value on_floats(Arithmetic op, double a, double b) {
  switch (op) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::subtract:
      return a - b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::power:
      return std::pow(a, b);
    default:
      break;
  }
  if (b == 0) raise("float division by zero");
  if (op == Arithmetic::divide) return a / b;
  double remainder = std::fmod(a, b);
  if (remainder != 0 && (remainder < 0) != (b < 0)) remainder += b;
  if (op == Arithmetic::modulo) return remainder == 0 ? std::copysign(0.0, b) : remainder;
  return std::round((a - remainder) / b);
}

bool is_list(const Value& value) {
  return value.is(Kind::sequence) &&
         (value.sequence().type == Sequence::Type::list || value.sequence().type == Sequence::Type::tuple);
}

Value make_like(const Value& model, std::vector<Value> items) {
  return model.sequence().type == Sequence::Type::list ? Value::list(std::move(items))
                                                       : Value::tuple(std::move(items));
}

Value repeat(const Value& value, int64_t count) {
  const size_t times = count > 0 ? static_cast<size_t>(count) : 0;
  const size_t unit = value.is(Kind::text) ? value.text().size() : value.sequence().items.size();
  if (unit && times > kLargestRepeat / unit) raise("a repetition of {} would be too large", times);
  if (value.is(Kind::text)) {
    Text text;
    for (size_t i = 0; i < times; ++i) text.append(value.text());
    return text;
  }
  std::vector<Value> items;
  for (size_t i = 0; i < times; ++i)
    items.insert(items.end(), value.sequence().items.begin(), value.sequence().items.end());
  return make_like(value, std::move(items));
}

}  // namespace

Value arithmetic(Arithmetic op, const Value& a, const Value& b) {
  if (a.is_integral() && b.is_integral()) return on_integers(op, a.integer(), b.integer());
  if (a.is_number() && b.is_number()) return on_floats(op, a.floating(), b.floating());
  if (op == Arithmetic::add && a.is(Kind::text) && b.is(Kind::text)) {
    const bool markup = a.text().is_markup() || b.text().is_markup();
    Text text = markup ? escape_html(a.text()) : a.text();
    text.append(markup ? escape_html(b.text()) : b.text());
    return text;
  }
  if (op == Arithmetic::add && is_list(a) && is_list(b) && a.sequence().type == b.sequence().type) {
    std::vector<Value> items = a.sequence().items;
    items.insert(items.end(), b.sequence().items.begin(), b.sequence().items.end());
    return make_like(a, std::move(items));
  }
  if (op == Arithmetic::multiply && (a.is(Kind::text) || is_list(a)) && b.is_integral())
    return repeat(a, b.integer());
  if (op == Arithmetic::multiply && (b.is(Kind::text) || is_list(b)) && a.is_integral())
    return repeat(b, a.integer());
  if (op == Arithmetic::modulo && a.is(Kind::text)) return format_percent(a.text(), b);
  raise_operands(symbol_of(op), a, b);
}

Value negate(const Value& value) {
  if (value.is_integral()) return on_integers(Arithmetic::subtract, 0, value.integer());
  if (value.is(Kind::floating)) return -value.floating();
  if (value.is(Kind::undefined)) raise("{}", value.hint());
  raise("bad operand type for unary -: '{}'", type_name(value));
}

}  // namespace mindspeed::jinja
