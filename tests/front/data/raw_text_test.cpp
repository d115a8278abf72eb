// Fault 34: tokenised text is used again while nothing that matters has changed, and never otherwise.
#include "front/data/prepare/raw_text.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/formats/indexed_dataset.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

// A byte-level tokenizer whose ids are the order of `letters`.
void write_tokenizer(const fs::path& folder, const std::string& letters) {
  make_folder(folder);
  std::string vocab;
  for (size_t i = 0; i < letters.size(); ++i)
    vocab += fmt::format("{}\"{}\":{}", i == 0 ? "" : ",", letters[i], i);
  std::ofstream(folder / "tokenizer.json")
      << R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[{"id":9,"content":"<e>",)"
      << R"("single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],"normalizer":null,)"
      << R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},)"
      << R"("post_processor":null,"decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,)"
      << R"("use_regex":true},"model":{"type":"BPE","dropout":null,"unk_token":null,)"
      << R"("continuing_subword_prefix":null,"end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,)"
      << R"("ignore_merges":false,"vocab":{)" << vocab << R"(},"merges":[]}})";
  std::ofstream(folder / "tokenizer_config.json") << R"({"eos_token":"<e>"})";
}

class Fault34 : public testing::Test {
 protected:
  Fault34() : folder_(test::temporary_dir("raw_text")) {
    write_tokenizer(folder_ / "tokenizer", "abc");
    put("{\"text\":\"ab\"}\n{\"text\":\"ca\"}\n");
    plan_.data.tokenizer = (folder_ / "tokenizer").string();
    plan_.data.paths = {(folder_ / "x.jsonl").string()};
  }
  void put(const std::string& text) const { std::ofstream(folder_ / "x.jsonl") << text; }
  // The prefix that training reads.
  std::string prepare() const {
    Plan plan = plan_;
    prepare_raw_text(plan, [](const fs::path& path) { return Tokenizer::load(path); });
    return plan.data.paths.front();
  }
  static std::vector<int32_t> ids(const std::string& prefix) {
    const IndexedDataset data(prefix);
    std::vector<int32_t> out;
    for (size_t s = 0; s < data.sequences(); ++s) {
      std::vector<int32_t> part(static_cast<size_t>(data.sequence_lengths()[s]));
      data.read(s, 0, part);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  fs::path folder_;
  Plan plan_;
};

TEST_F(Fault34, EveryChangeThatMattersMakesNewTokensAndATouchDoesNot) {
  const std::string first = prepare();
  EXPECT_EQ(ids(first), (std::vector<int32_t>{0, 1, 2, 0}));
  const auto written = fs::last_write_time(first + ".bin");
  fs::last_write_time(folder_ / "x.jsonl", written + std::chrono::hours(1));
  EXPECT_EQ(prepare(), first);  // only touched
  fs::rename(folder_ / "x.jsonl", folder_ / "y.jsonl");
  plan_.data.paths = {(folder_ / "y.jsonl").string()};
  EXPECT_EQ(prepare(), first);  // only renamed
  EXPECT_EQ(fs::last_write_time(first + ".bin"), written);
  fs::rename(folder_ / "y.jsonl", folder_ / "x.jsonl");
  plan_.data.paths = {(folder_ / "x.jsonl").string()};

  std::set<std::string> seen{first};
  plan_.data.raw.append_eod = true;
  seen.insert(prepare());
  EXPECT_EQ(ids(prepare()), (std::vector<int32_t>{0, 1, 9, 2, 0, 9}));
  write_tokenizer(folder_ / "tokenizer", "cba");
  seen.insert(prepare());
  EXPECT_EQ(ids(prepare()), (std::vector<int32_t>{2, 1, 9, 0, 2, 9}));
  put("{\"text\":\"ab\"}\n{\"text\":\"cb\"}\n");  // one letter, the same size
  seen.insert(prepare());
  EXPECT_EQ(ids(prepare()), (std::vector<int32_t>{2, 1, 9, 0, 1, 9}));
  put("{\"body\":\"c\",\"text\":\"a\"}\n");
  plan_.data.raw.key = "body";
  seen.insert(prepare());
  EXPECT_EQ(seen.size(), 5u);
  // A pair that is not complete (its record is missing) is made again.
  fs::remove(prepare() + ".json");
  EXPECT_EQ(ids(prepare()), (std::vector<int32_t>{0, 9}));
}

TEST_F(Fault34, ProcessesThatStartTogetherTokeniseOnce) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "{\"text\":\"abcabcabcabcabcabc\"}\n";
  put(text);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      try {
        ::_exit(ids(prepare()).size() == 360000 ? 0 : 1);
      } catch (const std::exception&) {
        ::_exit(2);
      }
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto written = fs::last_write_time(prepare() + ".bin");
  EXPECT_EQ(fs::last_write_time(prepare() + ".bin"), written);
  for (const auto& entry : fs::directory_iterator(folder_ / "mindspeed_cache"))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace mindspeed
