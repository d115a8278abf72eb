#include "front/tokenizer/jinja/builtins/arguments.h"

#include <algorithm>

namespace mindspeed::jinja {

std::vector<Value> bind(std::string_view function, const Arguments& arguments,
                        std::initializer_list<Parameter> parameters) {
  if (arguments.positional.size() > parameters.size())
    raise("{}() takes at most {} arguments, {} were given", function, parameters.size(),
          arguments.positional.size());
  for (const auto& [name, value] : arguments.keyword)
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&name = name](const auto& p) { return p.name == name; }))
      raise("{}() got an unexpected keyword argument '{}'", function, name);
  std::vector<Value> bound;
  for (const Parameter& parameter : parameters) {
    const auto keyword = std::find_if(arguments.keyword.begin(), arguments.keyword.end(),
                                      [&](const auto& entry) { return entry.first == parameter.name; });
    const bool positional = bound.size() < arguments.positional.size();
    if (positional && keyword != arguments.keyword.end())
      raise("{}() got two values for '{}'", function, parameter.name);
    if (positional)
      bound.push_back(arguments.positional[bound.size()]);
    else if (keyword != arguments.keyword.end())
      bound.push_back(keyword->second);
    else if (parameter.fallback)
      bound.push_back(*parameter.fallback);
    else
      raise("{}() needs the argument '{}'", function, parameter.name);
  }
  return bound;
}

int64_t need_integer(std::string_view function, const Value& value) {
  if (!value.is_integral()) raise("{}() needs an integer, not {}", function, type_name(value));
  return value.integer();
}

const Text& need_text(std::string_view function, const Value& value) {
  if (value.is(Kind::undefined)) raise("{}", value.hint());
  if (!value.is(Kind::text)) raise("{}() needs a string, not {}", function, type_name(value));
  return value.text();
}

}  // namespace mindspeed::jinja
