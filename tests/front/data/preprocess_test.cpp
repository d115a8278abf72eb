// Text to .bin/.idx: the bytes of the format, any number of workers, dirty files, and a run that is killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/data/prepare/fingerprint.h"
#include "front/data/preprocess.h"
#include "front/formats/indexed_dataset.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using namespace std::string_literals;

// One id per byte, so that the expected files can be written down.
Encoder byte_encoder() {
  return [](std::string_view text, std::vector<int32_t>& ids) {
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  };
}

void put(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

PreprocessOptions options_for(const std::string& folder, const std::string& input, int workers) {
  PreprocessOptions options;
  options.inputs = {folder + "/" + input};
  options.output_prefix = folder + "/out" + std::to_string(workers);
  options.workers = workers;
  options.log_interval = 1'000'000;
  options.tokenizer = "bytes";
  options.tokenizer_fingerprint = "f1";
  return options;
}

TEST(Preprocess, WritesTheBytesOfTheFormat) {
  const std::string folder = test::temporary_dir("pre_bytes");
  put(folder + "/a.jsonl", "{\"text\":\"\"}\n{\"text\":\"ab\"}\n\n{\"text\":\"c\"}\n");
  PreprocessOptions options = options_for(folder, "a.jsonl", 1);
  options.append_eod = true;
  options.eod = 300;
  const PreprocessReport report = preprocess(options, byte_encoder);
  EXPECT_EQ(report.documents, 2);
  EXPECT_EQ(report.empty, 1);
  EXPECT_EQ(report.tokens, 5);
  std::string bin, idx;
  for (const int32_t id : {97, 98, 300, 99, 300}) append(bin, id);
  idx = "MMIDIDX\0\0"s;
  append(idx, uint64_t{1});
  append(idx, uint8_t{4});
  append(idx, uint64_t{2});
  append(idx, uint64_t{3});
  for (const int32_t length : {3, 2}) append(idx, length);
  for (const int64_t offset : {0, 12}) append(idx, offset);
  for (const int64_t document : {0, 1, 2}) append(idx, document);
  EXPECT_EQ(read_file(report.outputs[0] + ".bin"), bin);
  EXPECT_EQ(read_file(report.outputs[0] + ".idx"), idx);
  EXPECT_EQ(report.outputs[0], folder + "/out1_text_document");
  options.eod = -1;
  EXPECT_THROW(preprocess(options, byte_encoder), Error);
}

TEST(Preprocess, BytesDoNotDependOnWorkersLineEndsOrFormat) {
  const std::string folder = test::temporary_dir("pre_workers");
  std::string lf, crlf, array = "[", csv = "id,text\n", plain;
  for (int i = 0; i < 5000; ++i) {
    std::string text =
        "document " + std::to_string(i) + std::string(static_cast<size_t>(i * 7919 % 400), 'x');
    const std::string object = "{\"id\":" + std::to_string(i) + ",\"text\":\"" + text + "\"}";
    lf += object + "\n";
    crlf += object + "\r\n";
    array += (i > 0 ? ",\n" : "") + object;
    csv += std::to_string(i) + ",\"" + text + "\"\n";
    plain += text + "\n";
  }
  put(folder + "/a.jsonl", lf);
  put(folder + "/b.jsonl", "\xef\xbb\xbf" + crlf);
  put(folder + "/c.json", array + "]");
  put(folder + "/d.csv", csv);
  put(folder + "/e.txt", plain);
  std::string bin, idx;
  for (const char* input : {"a.jsonl", "b.jsonl", "c.json", "d.csv", "e.txt"})
    for (const int workers : {1, 2, 8}) {
      SCOPED_TRACE(std::string(input) + " " + std::to_string(workers));
      const PreprocessReport report = preprocess(options_for(folder, input, workers), byte_encoder);
      EXPECT_EQ(report.documents, 5000);
      if (bin.empty()) {
        bin = read_file(report.outputs[0] + ".bin");
        idx = read_file(report.outputs[0] + ".idx");
        EXPECT_EQ(idx.size(), 34u + 5000 * 12 + 5001 * 8);
      }
      EXPECT_TRUE(read_file(report.outputs[0] + ".bin") == bin);
      EXPECT_TRUE(read_file(report.outputs[0] + ".idx") == idx);
    }
}

TEST(Preprocess, DirtyRecordsStopTheRunOrAreCountedByReason) {
  const std::string folder = test::temporary_dir("pre_dirty");
  put(folder + "/dirty.jsonl",
      "\xef\xbb\xbf{\"text\":\"\"}\r\n"  // mark, CRLF, empty text first
      "\n"
      "{\"text\":\"good\"}\r\n"
      "{\"text\":\"\xc3\"}\n"
      "{\"text\":7}\n"
      "{\"text\":null}\n"
      "{\"txt\":\"x\"}\n"
      "{\"text\":\"a\0\"}\n"
      "{\"text\":\"a\",}\n"
      "{\"text\":\"fine\"}\n"
      "{\"text\":\"tru"s);
  for (const int workers : {1, 8}) {
    PreprocessOptions options = options_for(folder, "dirty.jsonl", workers);
    try {
      preprocess(options, byte_encoder);
      FAIL();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("dirty.jsonl:4:43: invalid UTF-8"), std::string::npos) << e.what();
    }
    EXPECT_FALSE(fs::exists(options.output_prefix + "_text_document.bin"));
    EXPECT_FALSE(fs::exists(options.output_prefix + "_text_document.idx"));
    options.skip_errors = true;
    const PreprocessReport report = preprocess(options, byte_encoder);
    EXPECT_EQ(report.documents, 2);
    EXPECT_EQ(report.empty, 1);
    // bad_utf8, nul_byte, bad_syntax, truncated, missing_key, wrong_type
    EXPECT_EQ(report.faults.by_reason, (std::array<int64_t, kFaultReasons>{1, 1, 1, 1, 1, 2}));
    EXPECT_EQ(read_file(report.outputs[0] + ".bin").size(), 4u * 8);
  }
}

TEST(Preprocess, SeveralKeysInputsAndALimit) {
  const std::string folder = test::temporary_dir("pre_keys");
  put(folder + "/a.jsonl", "{\"t\":\"a\",\"u\":\"bb\"}\n{\"t\":\"c\",\"u\":\"\"}\n");
  put(folder + "/b.csv", "u,t\nxyz,w\n1,2\n");
  PreprocessOptions options = options_for(folder, "a.jsonl", 2);
  options.inputs.push_back(folder + "/b.csv");
  options.json_keys = {"t", "u"};
  options.max_samples = 3;
  const PreprocessReport report = preprocess(options, byte_encoder);
  EXPECT_EQ(report.documents, 3);
  EXPECT_EQ(read_file(report.outputs[0] + ".bin").size(), 4u * 3);
  EXPECT_EQ(read_file(report.outputs[1] + ".bin").size(), 4u * 5);
  options.inputs = {folder + "/none"};
  EXPECT_THROW(preprocess(options, byte_encoder), Error);
  options.inputs = {"/dev/null"};  // has no size, cannot be read twice
  EXPECT_THROW(preprocess(options, byte_encoder), Error);
  options.inputs = {folder + "/a.jsonl"};
  options.json_keys = {"t/u"};  // would be a folder in the output's name
  EXPECT_THROW(preprocess(options, byte_encoder), Error);
}

TEST(Preprocess, FingerprintRefusesAnotherTokenizer) {
  const std::string folder = test::temporary_dir("pre_finger");
  put(folder + "/a.txt", "abc\n");
  const PreprocessReport report = preprocess(options_for(folder, "a.txt", 1), byte_encoder);
  const Json json = read_json(fingerprint_path(report.outputs[0]));
  EXPECT_EQ(json.at("inputs")[0].at("bytes"), 4);
  EXPECT_EQ(json.at("documents"), 1);
  EXPECT_NO_THROW(check_fingerprint(report.outputs[0], "f1"));
  EXPECT_NO_THROW(check_fingerprint(report.outputs[0], ""));
  EXPECT_THROW(check_fingerprint(report.outputs[0], "f2"), Error);
}

TEST(Preprocess, AKilledRunLeavesNothingThatOpens) {
  const std::string folder = test::temporary_dir("pre_kill");
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + "\n";
  put(folder + "/a.txt", text);
  int killed = 0;
  for (int round = 0; round < 10; ++round) {
    PreprocessOptions options = options_for(folder, "a.txt", 2);
    options.output_prefix = folder + "/kill" + std::to_string(round);
    const pid_t child = ::fork();
    if (child == 0) {
      preprocess(options, byte_encoder);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3 * round + 1));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    const std::string prefix = options.output_prefix + "_text_document";
    if (!WIFSIGNALED(status)) continue;
    ++killed;
    if (!fs::exists(prefix + ".idx")) continue;  // the index comes last: with it the pair is complete
    EXPECT_EQ(IndexedDataset(prefix).sequence_lengths().size(), 100'000u);
  }
  EXPECT_GT(killed, 3);
  PreprocessOptions options = options_for(folder, "a.txt", 2);
  options.output_prefix = folder + "/kill0";
  preprocess(options, byte_encoder);  // removes what the killed run left
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("kill0_")) {
      EXPECT_EQ(entry.path().string().find(".tmp."), std::string::npos);
    }
}

}  // namespace
}  // namespace mindspeed
