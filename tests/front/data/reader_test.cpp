// Record readers: what each format holds, and what dirty files are blamed for (faults.md 30).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/data/readers/record.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using namespace std::string_literals;

std::string write(const std::string& name, std::string_view content) {
  static const std::string folder = test::temporary_dir("readers");
  const std::string path = folder + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// Every record as its text, or "!reason line:byte".
std::vector<std::string> read_all(const std::string& path, const std::vector<std::string>& keys = {"text"}) {
  const auto reader = open_records(path, keys);
  RawRecord record;
  std::vector<std::string> out, fields;
  while (reader->next(record)) {
    auto fault = record.fault ? record.fault : reader->decode(record, fields);
    out.push_back(fault ? fmt::format("!{} {}:{}", fault_name(fault->reason), fault->position.line,
                                      fault->position.byte)
                        : fmt::format("{}", fmt::join(fields, "|")));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(Jsonl, MarkBlankLinesAndCarriageReturnsAreNoData) {
  const std::string lf =
      "{\"text\":\"one\"}\n\n{\"text\": \"zwei\\u00e4\\n\", \"n\": {\"text\": 1}}\n  \n{\"text\":\"\"}\n";
  std::string crlf = "\xef\xbb\xbf";
  for (const char c : lf) crlf += c == '\n' ? "\r\n"s : std::string(1, c);
  const Texts expected{"one", "zwei\xc3\xa4\n", ""};
  EXPECT_EQ(read_all(write("a.jsonl", lf)), expected);
  EXPECT_EQ(read_all(write("b.jsonl", crlf)), expected);
  EXPECT_EQ(read_all(write("c.jsonl", "{\"text\":\"no line end\"}")), Texts{"no line end"});
}

TEST(Jsonl, EachFaultIsNamedWithLineAndByte) {
  const std::string path = write(
      "dirty.jsonl",
      "{\"text\":\"ok\"}\n"    // bytes 0..13
      "{\"text\":\"\xff\"}\n"  // line 2 from byte 14: the bad byte is 14 + 9
      "{\"text\":5}\n"         // line 3 from byte 27
      "{\"other\":\"x\"}\n"    // line 4 from byte 38
      "{\"text\":\"a\0b\"}\n"  // line 5 from byte 52: NUL at 52 + 10
      "{\"text\" \"x\"}\n"     // line 6 from byte 67: the token that came instead of a colon ends at 67 + 10
      "[1,2]\n"                // line 7
      "{\"text\":\"cut of"s);
  const Texts found = read_all(path);
  ASSERT_EQ(found.size(), 8u);
  EXPECT_EQ(found[0], "ok");
  EXPECT_EQ(found[1], "!invalid UTF-8 2:23");
  EXPECT_EQ(found[2], "!wrong type 3:27");
  EXPECT_EQ(found[3], "!missing key 4:38");
  EXPECT_EQ(found[4], "!NUL byte 5:62");
  EXPECT_EQ(found[5], "!malformed 6:77");
  EXPECT_EQ(found[6].substr(0, 13), "!wrong type 7");
  EXPECT_EQ(found[7].substr(0, 12), "!truncated 8");
}

TEST(Json, AnArrayOfObjectsGivesTheSameRecordsAsLines) {
  EXPECT_EQ(read_all(write("a.json", " [ {\"text\":\"a]}\\\"\"} ,\n {\"text\":\"b\",\"x\":[{}]}\n]\n")),
            (Texts{"a]}\"", "b"}));
  EXPECT_EQ(read_all(write("b.json", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")), (Texts{"a", "b"}));
  EXPECT_EQ(read_all(write("c.json", "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b\"\n}\n")), (Texts{"a", "b"}));
  EXPECT_EQ(read_all(write("d.json", "[]")), Texts{});
  EXPECT_EQ(read_all(write("e.json", "[{\"text\":\"a\"},{\"text\":}, {\"text\":\"c\"}]")),
            (Texts{"a", "!malformed 1:22", "c"}));
  EXPECT_EQ(read_all(write("f.json", "[{\"text\":\"a\"},{\"text\":\"b")), (Texts{"a", "!truncated 1:24"}));
  EXPECT_EQ(read_all(write("g.json", "[{\"text\":\"a\"}")), (Texts{"a", "!truncated 1:13"}));
}

TEST(Text, EachLineIsARecord) {
  EXPECT_EQ(read_all(write("a.txt", "eins\r\n\r\nzwei\ndrei")), (Texts{"eins", "", "zwei", "drei"}));
}

TEST(Csv, QuotesCommasAndLineEndsFollowRfc4180) {
  EXPECT_EQ(read_all(write("a.csv", "id,text\r\n1,plain\r\n2,\"a, \"\"b\"\"\r\nc\"\r\n")),
            (Texts{"plain", "a, \"b\"\nc"}));
  EXPECT_EQ(read_all(write("b.csv", "text,id\nx\ny\"z,1\nok,2\n")),
            (Texts{"!malformed 2:8", "!truncated 3:11"}));  // one stray quote swallows the rest of the file
  EXPECT_THROW(read_all(write("c.csv", "id,body\n1,2\n")), Error);
  EXPECT_EQ(read_all(write("d.csv", "a,b\n1,2\n"), {"b", "a"}), Texts{"2|1"});
}

TEST(Parquet, StringColumnsOfEveryKindAreReadAcrossRowGroups) {
  const std::string folder = test::golden_dir() + "/parquet";  // written by pyarrow
  const Texts plain = read_all(folder + "/plain.parquet");
  ASSERT_EQ(plain.size(), 3000u);
  for (const size_t i : {0u, 699u, 700u, 2999u}) {
    std::string expected = "row " + std::to_string(i) + " ";
    for (size_t k = 0; k < i % 5; ++k) expected += "\xc3\xa4\xc3\x9f\xe6\xbc\xa2";
    EXPECT_EQ(plain[i], expected);
  }
  EXPECT_EQ(
      read_all(folder + "/mixed.parquet", {"body", "text"}),
      (Texts{"0|a", "1|b", "!wrong type 3:0", "3|", "4|b", "5|a", "6|b", "!wrong type 8:0", "8|", "9|b"}));
  EXPECT_THROW(read_all(folder + "/plain.parquet", {"id"}), Error);
  EXPECT_THROW(read_all(folder + "/plain.parquet", {"none"}), Error);
  EXPECT_THROW(read_all(write("broken.parquet", "PAR1 and no more")), Error);
}

// A file packed by the system's own tool.
std::string packed(const std::string& tool, const std::string& plain) {
  EXPECT_EQ(std::system(fmt::format("{} -k -f '{}'", tool, plain).c_str()), 0);
  return plain + (tool == "gzip" ? ".gz" : ".zst");
}

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{{\"text\":\"line {} {}\"}}\n", i, i * 7919 % 10007);
  return text;
}

std::string error_of_reading(const std::string& path) {
  try {
    read_all(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Packed, GzipAndZstdGiveTheRecordsOfThePlainFile) {
  const std::string plain = write("many.jsonl", many_lines(50000));
  const Texts expected = read_all(plain);
  ASSERT_EQ(expected.size(), 50000u);
  EXPECT_EQ(read_all(packed("gzip", plain)), expected);
  EXPECT_EQ(read_all(packed("zstd -q", plain)), expected);
  // Two members one after another are one text, as gzip and zstd themselves have it.
  for (const char* end : {".gz", ".zst"}) {
    const std::string one = read_file(plain + end);
    Texts twice = expected;
    twice.insert(twice.end(), expected.begin(), expected.end());
    EXPECT_EQ(read_all(write(std::string("twice.jsonl") + end, one + one)), twice) << end;
  }
  EXPECT_EQ(read_all(write("none.txt.gz", "")), Texts{});
}

TEST(Packed, ACutOrDamagedFileIsAnErrorWithFileAndByteNeverAShorterText) {
  const std::string plain = write("cut.jsonl", many_lines(50000));
  for (const char* tool : {"gzip", "zstd -q"}) {
    const std::string path = packed(tool, plain), whole = read_file(path);
    const std::string end = path.substr(plain.size());
    for (const size_t keep : {whole.size() / 2, whole.size() - 1}) {
      const std::string error = error_of_reading(write("short.jsonl" + end, whole.substr(0, keep)));
      EXPECT_NE(error.find(fmt::format("end at byte {}", keep)), std::string::npos) << error;
      EXPECT_NE(error.find("short.jsonl" + end), std::string::npos) << error;
    }
    std::string wrong = whole;
    for (size_t i = wrong.size() / 2; i < wrong.size() / 2 + 64; ++i) wrong[i] = static_cast<char>(~wrong[i]);
    EXPECT_NE(error_of_reading(write("wrong.jsonl" + end, wrong)).find("damaged at byte"), std::string::npos);
    EXPECT_NE(error_of_reading(write("plain.jsonl" + end, "{\"text\":\"a\"}\n")).find("damaged at byte"),
              std::string::npos);
  }
}

TEST(Inputs, APatternNamesItsFilesInOrder) {
  const fs::path folder = test::temporary_dir("pattern");
  for (const char* name : {"b.jsonl.gz", "a.jsonl.gz", "c.txt"}) write_file_atomic(folder / name, "");
  EXPECT_EQ(list_inputs((folder / "*.jsonl.gz").string()),
            (Texts{(folder / "a.jsonl.gz").string(), (folder / "b.jsonl.gz").string()}));
  EXPECT_THROW(list_inputs((folder / "*.csv").string()), Error);
}

TEST(Inputs, AFolderIsReadWholeOrRefused) {
  const std::string folder = test::temporary_dir("inputs");
  for (const char* name : {"b.txt", "a.txt", "x.bin"}) std::ofstream(folder + "/" + name) << "x\n";
  EXPECT_EQ(list_inputs(folder), (Texts{folder + "/a.txt", folder + "/b.txt"}));
  std::ofstream(folder + "/c.csv") << "x\n";
  EXPECT_THROW(list_inputs(folder), Error);  // not one of them is dropped
  EXPECT_THROW(list_inputs(folder + "/none"), Error);
  EXPECT_THROW(open_records(folder + "/x.bin", {"text"}), Error);
}

}  // namespace
}  // namespace mindspeed
