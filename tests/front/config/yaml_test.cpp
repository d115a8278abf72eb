// Settings in YAML: strict keys, the order of precedence, and writing back.
#include "front/config/yaml_file.h"

#include <gtest/gtest.h>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/config/command_line.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

class Yaml : public ::testing::Test {
 protected:
  Settings parse(const std::string& text, std::vector<std::string> words = {}) {
    const std::string path = test::temporary_dir("yaml") + "/run.yaml";
    write_file_atomic(path, text);
    words.insert(words.begin(), path);
    words.insert(words.begin(), "--config");
    return parse_settings(kPretrain, words);
  }

  std::string refusal(const std::string& text) {
    try {
      parse(text);
    } catch (const Error& e) {
      EXPECT_EQ(e.exit_code(), kExitUsage);
      return e.what();
    }
    ADD_FAILURE() << "accepted: " << text;
    return "";
  }

  static void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  }
};

TEST_F(Yaml, KeysStandAtTopLevelOrUnderTheirGroup) {
  const Settings s =
      parse("lr: 1e-4\noptimizer:\n  adam-beta2: 0.95\nbf16: true\ndata-path: [0.3, a, 0.7, b]\n");
  EXPECT_EQ(s.real("lr"), 1e-4);
  EXPECT_EQ(s.real("adam-beta2"), 0.95);
  EXPECT_TRUE(s.flag("bf16"));
  EXPECT_EQ(s.list("data-path"), (std::vector<std::string>{"0.3", "a", "0.7", "b"}));
  EXPECT_EQ(s.at("lr").origin, Origin::file);
  EXPECT_EQ(parse("optimizer: sgd\n").text("optimizer"), "sgd");
}

TEST_F(Yaml, TheCommandLineWins) {
  const Settings s = parse("lr: 1e-4\nseed: 7\n", {"--lr", "2e-4"});
  EXPECT_EQ(s.real("lr"), 2e-4);
  EXPECT_EQ(s.at("lr").origin, Origin::command_line);
  EXPECT_EQ(s.integer("seed"), 7);
  EXPECT_EQ(s.integer("log-interval"), 100);
}

TEST_F(Yaml, AMisspeltKeyIsRefusedWithLineAndNearestName) {
  const std::string message = refusal("bf16: true\nglobal-batch-siz: 4\n");
  expect_contains(message, "run.yaml:2: global-batch-siz] unknown key; did you mean global-batch-size?");
}

TEST_F(Yaml, AKeyUnderTheWrongGroupIsRefusedWithTheRightOne) {
  expect_contains(refusal("data:\n  lr: 1e-4\n"),
                  "run.yaml:2: lr] this key came under 'data'; it belongs under 'schedule'");
}

TEST_F(Yaml, AKeyTwiceIsRefused) {
  expect_contains(refusal("lr: 1e-4\nlr: 1e-4\n"), "run.yaml:2: lr] this key came twice");
  expect_contains(refusal("lr: 1e-4\nschedule:\n  lr: 1e-4\n"), "this key came twice");
}

TEST_F(Yaml, WrongTypesAreRefusedWithTheirLine) {
  expect_contains(refusal("seq-length: \"abc\"\n"),
                  "run.yaml:1: seq-length] 'abc' came; an integer >= 1 was needed");
  expect_contains(refusal("lr: -1\n"), "'-1' came; a number > 0 was needed");
  expect_contains(refusal("lr: [1, 2]\n"), "a list came");
  expect_contains(refusal("lr:\n  x: 1\n"), "a section came");
  expect_contains(refusal("- a\n- b\n"), "the file is not a map");
  expect_contains(refusal("lr: [1,\n"), "valid YAML was needed");
}

TEST_F(Yaml, WhatIsWrittenReadsBackEqual) {
  const Settings first =
      parse("lr: 1e-4\n", {"--bf16", "--data-path", "0.5", "a b", "0.5", "c", "--coc-mode", "-1"});
  const Settings second = parse(to_yaml(first));
  EXPECT_EQ(first.resolved().size(), second.resolved().size());
  for (const auto& [name, value] : first.resolved())
    if (name != "config") {
      EXPECT_EQ(second.resolved().at(name), value) << name;
    }
  EXPECT_EQ(second.list("data-path"), first.list("data-path"));
  EXPECT_NE(to_yaml(first, true), to_yaml(first));
}

}  // namespace
}  // namespace mindspeed
