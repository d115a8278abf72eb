// The structure of the tree, checked: who may include whom, no folder cycles, no torch in the front half,
// sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace mindspeed::test {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// The include table of docs/architecture.md; a folder may always include itself.
const std::map<std::string, Names>& allowed() {
  static const Names runtime{"parallel", "nn",      "optim",  "ckpt", "convert", "data",   "formats",
                             "schedule", "kernels", "device", "comm", "plan",    "config", "base"};
  static const auto with = [](Names base, const Names& more) {
    base.insert(more.begin(), more.end());
    return base;
  };
  static const Names train = with(runtime, {"runtime", "tokenizer"});
  static const std::map<std::string, Names> table{
      {"base", {}},
      {"config", {"base"}},
      {"plan", {"config", "base"}},
      {"models", {"plan", "config", "base"}},
      {"features", {"plan", "config", "base"}},
      {"schedule", {"plan", "base"}},
      {"formats", {"base"}},
      {"tokenizer", {"base"}},
      {"data", {"tokenizer", "formats", "plan", "config", "base"}},
      {"convert", {"formats", "tokenizer", "models", "plan", "config", "base"}},
      {"planner", {"features", "models", "schedule", "convert", "data", "plan", "config", "base"}},
      {"hub", {"base", "config"}},
      {"script", {"base", "config"}},
      {"launch", {"base", "config"}},
      {"doctor", {"base", "config", "formats", "convert", "planner", "hub"}},
      {"device", {"base", "config"}},
      {"kernels", {"device", "base", "formats", "plan"}},
      {"comm", {"device", "plan", "base"}},
      {"nn", {"kernels", "comm", "plan", "base"}},
      {"optim", {"nn", "kernels", "comm", "plan", "base"}},
      {"parallel", {"nn", "optim", "schedule", "comm", "device", "plan", "base"}},
      {"ckpt", {"nn", "formats", "comm", "device", "plan", "base"}},
      {"runtime", runtime},
      {"train", train},
      {"infer", train},
      {"eval", with(train, {"infer"})},
      {"profile", train},
      {"entry", with(train, {"train", "infer", "eval", "profile", "models", "features", "planner", "hub",
                             "launch", "doctor"})},
  };
  return table;
}

struct SourceFile {
  fs::path path;
  std::string half, folder;  // "front" | "engine"; "plan"
  std::vector<std::string> lines;
};

std::vector<std::string> read_lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_source(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cpp"; }

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> all = [] {
    std::vector<SourceFile> files;
    for (const char* half : {"front", "engine"})
      for (const auto& entry : fs::recursive_directory_iterator(fs::path("src") / half))
        if (is_source(entry.path())) {
          const fs::path inner = fs::relative(entry.path(), fs::path("src") / half);
          files.push_back({entry.path(), half, inner.begin()->string(), read_lines(entry.path())});
        }
    return files;
  }();
  return all;
}

// Folder of an include "front/plan/plan.h"; empty when it is not one of ours.
std::string included_folder(const std::string& line) {
  static const std::regex pattern(R"re(^\s*#include\s+"(front|engine)/([a-z_]+)/)re");
  std::smatch match;
  return std::regex_search(line, match, pattern) ? match[2].str() : "";
}

TEST(Lint, IncludesFollowTheTable) {
  ASSERT_GT(sources().size(), 50u);
  for (const SourceFile& file : sources()) {
    const auto row = allowed().find(file.folder);
    ASSERT_NE(row, allowed().end()) << file.path << ": a folder that the table does not know";
    for (const std::string& line : file.lines) {
      const std::string folder = included_folder(line);
      EXPECT_TRUE(folder.empty() || folder == file.folder || row->second.contains(folder))
          << file.path << ": " << line;
    }
  }
}

TEST(Lint, FoldersFormNoCycle) {
  std::map<std::string, Names> edges;
  for (const SourceFile& file : sources())
    for (const std::string& line : file.lines) {
      const std::string folder = included_folder(line);
      if (!folder.empty() && folder != file.folder) edges[file.folder].insert(folder);
    }
  // Folders whose includes are all finished are taken away until nothing is left; a rest is a cycle.
  for (bool progress = true; progress && !edges.empty();) {
    progress = false;
    for (auto it = edges.begin(); it != edges.end();) {
      const bool free = std::none_of(it->second.begin(), it->second.end(),
                                     [&](const auto& f) { return edges.contains(f); });
      progress = progress || free;
      it = free ? edges.erase(it) : std::next(it);
    }
  }
  for (const auto& [folder, _] : edges) ADD_FAILURE() << folder << " is part of a cycle";
}

TEST(Lint, TheFrontHalfKnowsNoTorchAndNobodyIncludesTheBigHeader) {
  static const std::regex torch(R"(^\s*#include\s+[<"](ATen|torch|c10)/)");
  for (const SourceFile& file : sources())
    for (const std::string& line : file.lines) {
      if (file.half == "front") {
        EXPECT_FALSE(std::regex_search(line, torch)) << file.path << ": " << line;
      }
      EXPECT_EQ(line.find("<torch/torch.h>"), std::string::npos) << file.path;
    }
}

TEST(Lint, EnvironmentIsReadInAppsOnly) {
  for (const SourceFile& file : sources())
    for (const std::string& line : file.lines)
      EXPECT_EQ(line.find("getenv("), std::string::npos) << file.path << ": " << line;
}

TEST(Lint, FilesStaySmall) {
  std::vector<size_t> sizes;
  for (const SourceFile& file : sources()) {
    sizes.push_back(file.lines.size());
    EXPECT_LE(file.lines.size(), 600u) << file.path;
  }
  std::sort(sizes.begin(), sizes.end());
  EXPECT_LE(sizes[sizes.size() / 2], 150u) << "median";
  EXPECT_LE(sizes[sizes.size() * 9 / 10], 400u) << "nine of ten";
  for (const auto& entry : fs::recursive_directory_iterator("tests"))
    if (is_source(entry.path())) {
      EXPECT_LE(read_lines(entry.path()).size(), 800u) << entry.path();
    }
  for (const auto& entry : fs::directory_iterator("apps/mindspeed"))
    if (is_source(entry.path())) {
      EXPECT_LE(read_lines(entry.path()).size(), 80u) << entry.path();
    }
}

TEST(Lint, FunctionsStayUnderEightyLines) {
  static const std::regex opens(R"(\)\s*(const|noexcept|override|\s)*\{\s*$)"),
      control(R"(^\s*(if|for|while|switch|namespace)\b)");
  for (const SourceFile& file : sources()) {
    int depth = 0, base = 0;
    size_t start = 0;
    bool inside = false;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      if (!inside && std::regex_search(line, opens) && !std::regex_search(line, control))
        inside = true, start = i, base = depth;
      depth += static_cast<int>(std::count(line.begin(), line.end(), '{') -
                                std::count(line.begin(), line.end(), '}'));
      if (inside && depth <= base && i > start) {
        EXPECT_LE(i - start + 1, 80u) << file.path << ":" << start + 1;
        inside = false;
      }
    }
  }
}

}  // namespace
}  // namespace mindspeed::test
