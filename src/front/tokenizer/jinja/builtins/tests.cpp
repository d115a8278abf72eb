// Tests: `value is name(arguments)`.
#include <algorithm>
#include <unordered_map>

#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

Value argument(std::string_view name, const Arguments& arguments) {
  return bind(name, arguments, {{"other", {}}})[0];
}

template <bool (*check)(const Value&)>
bool plain(const Value& value, const Arguments& arguments) {
  bind("test", arguments, {});
  return check(value);
}

bool is_defined(const Value& value) { return !value.is(Kind::undefined); }
bool is_undefined(const Value& value) { return value.is(Kind::undefined); }
bool is_none(const Value& value) { return value.is(Kind::none); }
bool is_boolean(const Value& value) { return value.is(Kind::boolean); }
bool is_true(const Value& value) { return value.is(Kind::boolean) && value.boolean(); }
bool is_false(const Value& value) { return value.is(Kind::boolean) && !value.boolean(); }
bool is_integer(const Value& value) { return value.is(Kind::integer); }
bool is_float(const Value& value) { return value.is(Kind::floating); }
bool is_number(const Value& value) { return value.is_number(); }
bool is_string(const Value& value) { return value.is(Kind::text); }
bool is_mapping(const Value& value) { return value.is(Kind::dict); }
bool is_callable(const Value& value) { return value.is(Kind::object) && value.object().callable(); }
bool is_escaped(const Value& value) { return value.is(Kind::text) && value.text().is_markup(); }
bool is_iterable(const Value& value) {
  return value.is(Kind::undefined) || value.is(Kind::text) || value.is(Kind::sequence) ||
         value.is(Kind::dict);
}
// Anything with a length and items by index: strings, dicts and undefined values too.
bool is_sequence(const Value& value) {
  if (!value.is(Kind::sequence))
    return value.is(Kind::text) || value.is(Kind::dict) || value.is(Kind::undefined);
  return value.sequence().type != Sequence::Type::generator && !value.sequence().is_view();
}
bool is_lower(const Value& value) {
  const Text text = to_text(value);
  return lower(text).bytes() == text.bytes() && upper(text).bytes() != text.bytes();
}
bool is_upper(const Value& value) {
  const Text text = to_text(value);
  return upper(text).bytes() == text.bytes() && lower(text).bytes() != text.bytes();
}

bool remainder_is(const Value& value, const Value& divisor, int64_t wanted) {
  return equal(arithmetic(Arithmetic::modulo, value, divisor), wanted);
}
bool is_odd(const Value& value) { return remainder_is(value, int64_t{2}, 1); }
bool is_even(const Value& value) { return remainder_is(value, int64_t{2}, 0); }
bool divisible_by(const Value& value, const Arguments& arguments) {
  return remainder_is(value, bind("divisibleby", arguments, {{"num", {}}})[0], 0);
}

bool eq(const Value& value, const Arguments& arguments) { return equal(value, argument("eq", arguments)); }
bool ne(const Value& value, const Arguments& arguments) { return !equal(value, argument("ne", arguments)); }
bool lt(const Value& value, const Arguments& arguments) { return less(value, argument("lt", arguments)); }
bool gt(const Value& value, const Arguments& arguments) { return less(argument("gt", arguments), value); }
bool le(const Value& value, const Arguments& arguments) {
  const Value other = argument("le", arguments);
  return less(value, other) || equal(value, other);
}
bool ge(const Value& value, const Arguments& arguments) {
  const Value other = argument("ge", arguments);
  return less(other, value) || equal(value, other);
}
bool same(const Value& value, const Arguments& arguments) {
  return value.same_as(argument("sameas", arguments));
}
bool in(const Value& value, const Arguments& arguments) {
  return contains(bind("in", arguments, {{"seq", {}}})[0], value);
}
bool known_filter(const Value& value, const Arguments& arguments) {
  bind("filter", arguments, {});
  return value.is(Kind::text) &&
         (find_filter(value.text().bytes()) || is_missing_filter(value.text().bytes()));
}
bool known_test(const Value& value, const Arguments& arguments) {
  bind("test", arguments, {});
  return value.is(Kind::text) && find_test(value.text().bytes());
}

}  // namespace

Test find_test(std::string_view name) {
  static const std::unordered_map<std::string_view, Test> tests = {
      {"defined", plain<is_defined>},
      {"undefined", plain<is_undefined>},
      {"none", plain<is_none>},
      {"boolean", plain<is_boolean>},
      {"true", plain<is_true>},
      {"false", plain<is_false>},
      {"integer", plain<is_integer>},
      {"float", plain<is_float>},
      {"number", plain<is_number>},
      {"string", plain<is_string>},
      {"mapping", plain<is_mapping>},
      {"callable", plain<is_callable>},
      {"escaped", plain<is_escaped>},
      {"iterable", plain<is_iterable>},
      {"sequence", plain<is_sequence>},
      {"lower", plain<is_lower>},
      {"upper", plain<is_upper>},
      {"odd", plain<is_odd>},
      {"even", plain<is_even>},
      {"divisibleby", divisible_by},
      {"eq", eq},
      {"equalto", eq},
      {"==", eq},
      {"ne", ne},
      {"!=", ne},
      {"lt", lt},
      {"lessthan", lt},
      {"<", lt},
      {"gt", gt},
      {"greaterthan", gt},
      {">", gt},
      {"le", le},
      {"<=", le},
      {"ge", ge},
      {">=", ge},
      {"sameas", same},
      {"in", in},
      {"filter", known_filter},
      {"test", known_test},
  };
  const auto found = tests.find(name);
  return found == tests.end() ? nullptr : found->second;
}

}  // namespace mindspeed::jinja
