// What the documents promise about the tests is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "front/base/file.h"

namespace mindspeed {
namespace {

// "Suite.Name" of every test in the sources, and "Suite.*" of every suite.
std::set<std::string> tests_there() {
  static const std::regex heading(R"(\bTEST(?:_P|_F)?\((\w+),\s*(\w+)\))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(MINDSPEED_SOURCE_DIR "/tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it) {
      names.insert((*it)[1].str() + "." + (*it)[2].str());
      names.insert((*it)[1].str() + ".*");
    }
  }
  return names;
}

TEST(Documents, EveryTestThatTheFaultsPageNamesExists) {
  const std::set<std::string> there = tests_there();
  const std::string page = read_file(MINDSPEED_SOURCE_DIR "/docs/faults.md");
  static const std::regex name(R"(`([A-Z]\w*\.(?:\*|[A-Z]\w*))`)");
  int named = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), name), end; it != end; ++it, ++named)
    EXPECT_TRUE(there.contains((*it)[1].str())) << "docs/faults.md: " << (*it)[1];
  EXPECT_GT(named, 30);
}

}  // namespace
}  // namespace mindspeed
