// Template snippets against Jinja2 3.1.6 in the environment of transformers 5.24
// (tools/oracles/jinja_fixtures.py).
#include <gtest/gtest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/tokenizer/jinja/template.h"
#include "front/tokenizer/jinja/values/print.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using jinja::Template;
using jinja::Value;

constexpr int64_t kNow = 1700000000;  // of the fixtures, 2023-11-14 22:13:20 UTC

std::vector<std::pair<std::string, Value>> variables_of(const OrderedJson& json) {
  std::vector<std::pair<std::string, Value>> variables;
  for (const auto& [name, value] : json.items()) variables.emplace_back(name, jinja::from_json(value, 0));
  return variables;
}

std::string render(std::string_view source, const OrderedJson& variables = OrderedJson::object()) {
  return Template(source).render(variables_of(variables), kNow).bytes();
}

// The message of the error that `source` ends in, or "no error".
std::string error_of(std::string_view source) {
  try {
    render(source);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

OrderedJson units() {
  const std::string path = test::golden_dir() + "/jinja/units.json";
  return parse_ordered_json(read_file(path), path);
}

TEST(Jinja, SnippetsRenderAsInJinja2) {
  setenv("TZ", "UTC", 1);
  int compared = 0;
  for (const auto& unit : units()) {
    const auto source = unit["source"].get<std::string>();
    SCOPED_TRACE(source);
    try {
      const std::string text = render(source, unit.value("variables", OrderedJson::object()));
      if (unit.contains("text"))
        EXPECT_EQ(text, unit["text"].get<std::string>());
      else
        ADD_FAILURE() << "Jinja2 raises " << unit["error"] << ", we print " << text;
    } catch (const Error& error) {
      if (unit.contains("text")) ADD_FAILURE() << error.what();
    }
    ++compared;
  }
  EXPECT_GE(compared, 120);
}

TEST(Jinja, AnUnsupportedConstructIsNamedWithItsLineWhenTheTemplateIsRead) {
  EXPECT_EQ(error_of("a\n\n{% import 'x' as y %}"),
            "[chat template] line 3: the statement {% import %} is not supported");
  EXPECT_EQ(error_of("a\n{% if false %}{{ x | urlize }}{% endif %}"),
            "[chat template] line 2: the filter 'urlize' is not supported");
  EXPECT_EQ(error_of("{% if false %}\n{{ x.encode('utf8') }}{% endif %}"),
            "[chat template] line 2: the method .encode() is not supported");
  EXPECT_EQ(error_of("{% for x in y recursive %}{% endfor %}"),
            "[chat template] line 1: a recursive loop ({% for ... recursive %}) is not supported");
  EXPECT_EQ(error_of("\n{{ lipsum() }}"), "[chat template] line 2: the function lipsum() is not supported");
}

TEST(Jinja, AnErrorWhileRenderingNamesItsLine) {
  EXPECT_EQ(error_of("{# c #}\n{% if true %}\n  {{ raise_exception('no ' ~ 'tools') }}{% endif %}"),
            "[chat template] line 3: no tools");
  EXPECT_EQ(error_of("{% set x = none %}\n\n{{ x.y.z }}"),
            "[chat template] line 3: 'None' has no attribute 'y'");
}

TEST(Jinja, HostileTemplatesEndInAnErrorNotInACrash) {
  EXPECT_NE(error_of("{{ " + std::string(100000, '(')), "no error");
  EXPECT_NE(error_of("{{ " + std::string(100000, '-') + "1 }}"), "no error");
  std::string sum = "{{ 1", blocks;
  for (int i = 0; i < 4000; ++i) sum += " + 1";
  EXPECT_NE(error_of(sum + " }}"), "no error");
  for (int i = 0; i < 50000; ++i) blocks += "{% if 1 %}";
  EXPECT_NE(error_of(blocks), "no error");
  EXPECT_NE(error_of("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"), "no error");
  EXPECT_NE(error_of("{{ 'x' * 1000000000000 }}"), "no error");
  EXPECT_NE(error_of("{{ 9223372036854775807 + 1 }}"), "no error");
  EXPECT_NE(error_of("\xff"), "no error");
}

TEST(Jinja, MarksFollowTheBytesOfAValue) {
  const jinja::Text name("Ab<c>", jinja::kContent);
  const auto marked = [&](std::string_view source) {  // content in brackets
    const jinja::Text text = Template(source).render({{"x", name}}, 0);
    std::string shown;
    size_t begin = 0;
    for (const auto& run : text.runs()) {
      const std::string piece = text.bytes().substr(begin, run.end - begin);
      shown += run.marks & jinja::kContent ? "[" + piece + "]" : piece;
      begin = run.end;
    }
    return shown;
  };
  EXPECT_EQ(marked("-{{ x }}-"), "-[Ab<c>]-");
  EXPECT_EQ(marked("{{ ('=' + x + '=') | upper }}"), "=[AB<C>]=");
  EXPECT_EQ(marked("{{ (' ' ~ x ~ ' ')[2:-2] | trim }}"), "[b<c]");
  EXPECT_EQ(marked("{{ x.replace('b', '-') }}"), "[A]-[<c>]");
  EXPECT_EQ(marked("{{ '<x>'.replace('x', x) }}"), "<[Ab<c>]>");
  EXPECT_EQ(marked("{{ [x, 'y'] }} {{ {'k': x} | tojson }}"), "['[Ab<c>]', 'y'] {\"k\": \"[Ab<c>]\"}");
  EXPECT_EQ(marked("{{ x.split('<') | join('<') }}"), "[Ab]<[c>]");
  EXPECT_EQ(marked("{{ '%s!' % x }}{{ '{}?'.format(x) }}"), "[Ab<c>]![Ab<c>]?");
  EXPECT_EQ(
      marked("{% set y %}({{ x }}){% endset %}{{ y }}{% macro m(z) %}<{{ z }}>{% endmacro %}{{ m(x) }}"),
      "([Ab<c>])<[Ab<c>]>");
  EXPECT_EQ(marked("{% for c in x %}{{ c }},{% endfor %}"), "[A],[b],[<],[c],[>],");
  EXPECT_EQ(marked("{{ x | escape }} {{ ('a\n' ~ x) | indent(1) }}"), "[Ab]&lt;[c]&gt; a\n [Ab<c>]");
}

}  // namespace
}  // namespace mindspeed
