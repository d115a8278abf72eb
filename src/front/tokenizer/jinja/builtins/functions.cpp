// Functions that every template can call.
#include <ctime>

#include "front/tokenizer/jinja/builtins/access.h"
#include "front/tokenizer/jinja/builtins/arguments.h"
#include "front/tokenizer/jinja/builtins/registry.h"
#include "front/tokenizer/jinja/values/operators.h"
#include "front/tokenizer/jinja/values/print.h"

namespace mindspeed::jinja {
namespace {

constexpr int64_t kLongestRange = 100000;  // Jinja's sandbox allows no more

Value function(std::string name, Function::Body body, Value self = None{}) {
  return std::static_pointer_cast<Object>(std::make_shared<Function>(std::move(name), std::move(self), body));
}

Value range(const Value&, const Arguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  if (given.empty() || given.size() > 3 || !arguments.keyword.empty())
    raise("range() needs one to three integers");
  const int64_t first = need_integer("range", given[0]);
  const int64_t start = given.size() > 1 ? first : 0;
  const int64_t stop = given.size() > 1 ? need_integer("range", given[1]) : first;
  const int64_t step = given.size() > 2 ? need_integer("range", given[2]) : 1;
  if (step == 0) raise("range() arg 3 must not be zero");
  auto result = std::make_shared<Sequence>(Sequence{Sequence::Type::range, {}, {}});
  result->label = given.size() > 2 ? fmt::format("range({}, {}, {})", start, stop, step)
                                   : fmt::format("range({}, {})", start, stop);
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    if (static_cast<int64_t>(result->items.size()) == kLongestRange)
      raise("Range too big. The sandbox blocks ranges larger than {}", kLongestRange);
    result->items.push_back(i);
  }
  return result;
}

// dict and namespace take a mapping or pairs, and keywords.
std::vector<std::pair<Value, Value>> entries_of(std::string_view name, const Arguments& arguments) {
  if (arguments.positional.size() > 1) raise("{}() takes at most one positional argument", name);
  Dict entries;
  if (!arguments.positional.empty()) {
    const Value& source = arguments.positional[0];
    if (source.is(Kind::dict)) {
      for (const auto& [key, value] : source.dict().entries()) entries.set(key, value);
    } else {
      for (const Value& pair : iterate(source)) {
        const std::vector<Value> parts = iterate(pair);
        if (parts.size() != 2) raise("{}() needs pairs", name);
        entries.set(parts[0], parts[1]);
      }
    }
  }
  for (const auto& [key, value] : arguments.keyword) entries.set(Text(key), value);
  return entries.entries();
}

Value make_dict(const Value&, const Arguments& arguments) {
  auto dict = std::make_shared<Dict>();
  for (auto& [key, value] : entries_of("dict", arguments)) dict->set(key, value);
  return std::shared_ptr<const Dict>(std::move(dict));
}

Value make_namespace(const Value&, const Arguments& arguments) {
  auto result = std::make_shared<Namespace>();
  for (auto& [key, value] : entries_of("namespace", arguments))
    result->set(need_text("namespace", key).bytes(), value);
  return std::static_pointer_cast<Object>(std::move(result));
}

Value raise_exception(const Value&, const Arguments& arguments) {
  raise("{}", to_text(bind("raise_exception", arguments, {{"message", {}}})[0]).bytes());
}

Value strftime_now(const Value& now, const Arguments& arguments) {
  const Value format = bind("strftime_now", arguments, {{"format", {}}})[0];
  const std::time_t seconds = now.integer();
  std::tm local{};
  localtime_r(&seconds, &local);
  char buffer[1024];
  const std::string pattern = need_text("strftime_now", format).bytes() + " ";  // so that 0 means: too long
  const size_t size = std::strftime(buffer, sizeof buffer, pattern.c_str(), &local);
  if (size == 0) raise("strftime_now() got a format whose result is too long");
  return Text(std::string(buffer, size - 1));
}

struct Cycler : Object {
  std::vector<Value> items;
  size_t position = 0;
  std::string type_name() const override { return "Cycler"; }
  std::optional<Value> attribute(std::string_view name) override {
    const Value self = shared_from_this();
    if (name == "current") return items[position];
    if (name == "next")
      return function(
          "next",
          [](const Value& me, const Arguments&) {
            auto& cycler = static_cast<Cycler&>(me.object());
            const Value item = cycler.items[cycler.position];
            cycler.position = (cycler.position + 1) % cycler.items.size();
            return item;
          },
          self);
    if (name == "reset")
      return function(
          "reset",
          [](const Value& me, const Arguments&) {
            static_cast<Cycler&>(me.object()).position = 0;
            return Value(None{});
          },
          self);
    return {};
  }
};

Value make_cycler(const Value&, const Arguments& arguments) {
  if (arguments.positional.empty()) raise("at least one item has to be provided to cycler()");
  auto cycler = std::make_shared<Cycler>();
  cycler->items = arguments.positional;
  return std::static_pointer_cast<Object>(std::move(cycler));
}

// Gives nothing the first time and its separator afterwards.
struct Joiner : Object {
  Value separator;
  bool used = false;
  std::string type_name() const override { return "Joiner"; }
  bool callable() const override { return true; }
  Value call(const Arguments&) override { return std::exchange(used, true) ? separator : Value(Text()); }
};

Value make_joiner(const Value&, const Arguments& arguments) {
  auto joiner = std::make_shared<Joiner>();
  joiner->separator = bind("joiner", arguments, {{"sep", Text(", ")}})[0];
  return std::static_pointer_cast<Object>(std::move(joiner));
}

}  // namespace

std::optional<Value> Namespace::attribute(std::string_view name) {
  for (const auto& [key, value] : values)
    if (key == name) return value;
  return {};
}

void Namespace::set(std::string_view name, Value value) {
  if (name.starts_with("_"))
    raise("chat templates cannot store the underscore-prefixed attribute '{}'", name);
  for (auto& entry : values)
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  values.emplace_back(std::string(name), std::move(value));
}

std::vector<std::pair<std::string, Value>> global_functions(int64_t now_seconds) {
  std::vector<std::pair<std::string, Value>> functions;
  const auto add = [&](const char* name, Function::Body body, Value self = None{}) {
    functions.emplace_back(name, function(name, body, std::move(self)));
  };
  add("range", range);
  add("dict", make_dict);
  add("namespace", make_namespace);
  add("cycler", make_cycler);
  add("joiner", make_joiner);
  add("raise_exception", raise_exception);
  add("strftime_now", strftime_now, now_seconds);
  return functions;
}

}  // namespace mindspeed::jinja
