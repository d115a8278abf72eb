#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <nlohmann/json.hpp>

#include "front/base/dtype.h"
#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/base/parallel_for.h"
#include "front/base/text.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

std::span<const std::byte> as_bytes(std::string_view s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

TEST(Hash, MatchesPublishedVectors) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);  // RFC 3720 B.4
  EXPECT_EQ(crc32c(as_bytes("6789"), crc32c(as_bytes("12345"))), 0xe3069283u);
  EXPECT_EQ(md5_hex("abc"), "900150983cd24fb0d6963f7d28e17f72");  // RFC 1321 A.5
  EXPECT_EQ(sha256_hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
}

TEST(DTypes, HalfAndBf16RoundToNearestEven) {
  EXPECT_EQ(float_to_bf16(257.0f), 0x4380);  // 257 is half way between 256 and 258: the even one
  EXPECT_EQ(bf16_to_float(float_to_bf16(15962.0f)), 15936.0f);
  for (uint32_t h = 0; h < 0x10000; ++h) {
    const float value = half_to_float(static_cast<uint16_t>(h));
    if (value == value) {
      ASSERT_EQ(float_to_half(value), h);
    }
  }
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(0x1p-25f), 0);         // ties to even
  EXPECT_EQ(float_to_half(1.5f * 0x1p-24f), 2);  // ties to even
}

TEST(Files, AnUncommittedFileLeavesNothing) {
  const std::string folder = test::temporary_dir("files");
  {
    AtomicFile file(folder + "/a");
    file.write("hello");
  }
  EXPECT_TRUE(fs::is_empty(folder));
  AtomicFile file(folder + "/a");
  file.write("hello");
  file.write_at(0, as_bytes("J"));
  EXPECT_FALSE(fs::exists(folder + "/a"));
  file.commit();
  EXPECT_EQ(read_file(folder + "/a"), "Jello");
}

TEST(Files, AnOutputThatCouldNotBeWrittenIsKnownBefore) {
  const std::string folder = test::temporary_dir("outputs");
  EXPECT_NO_THROW(check_output_file(folder + "/new/curve.svg"));  // makes the folder
  EXPECT_TRUE(fs::is_directory(folder + "/new"));
  EXPECT_THROW(check_output_file(folder), Error);
  EXPECT_THROW(check_output_file("/dev/null"), Error);
  EXPECT_THROW(AtomicFile("/dev/null"), Error);  // a rename would replace the device
  EXPECT_THROW(make_folder("/dev/null/x"), Error);
}

TEST(Files, OnlyTheTemporariesOfDeadProcessesAreRemoved) {
  const std::string folder = test::temporary_dir("temporaries");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  const std::string dead = std::to_string(child), alive = std::to_string(::getpid());
  for (const std::string& name :
       {std::string("a.bin"), "a.bin.tmp." + dead, "a.bin.tmp." + alive, "b.tmp." + dead})
    write_file_atomic(folder + "/" + name, "x");
  remove_dead_temporaries(folder, "a.");
  EXPECT_FALSE(fs::exists(folder + "/a.bin.tmp." + dead));
  EXPECT_TRUE(fs::exists(folder + "/a.bin.tmp." + alive));
  EXPECT_TRUE(fs::exists(folder + "/b.tmp." + dead));
  EXPECT_TRUE(fs::exists(folder + "/a.bin"));
}

TEST(JsonReading, FaultsStandAtTheirLineAndColumn) {
  const auto message = [](std::string_view text) {
    try {
      parse_json(text, "config.json");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(" \n"), "[json] config.json: is empty; JSON was needed");
  const std::string cut = message("{\n  \"a\": 1,\n  \"b\": x}");
  EXPECT_TRUE(cut.starts_with("[json] config.json: is no valid JSON, line 3, column 8: syntax error")) << cut;
  EXPECT_EQ(cut.find("exception"), std::string::npos) << cut;
}

TEST(JsonReading, DuplicateKeysAreRefusedByName) {
  EXPECT_EQ(parse_json(R"({"a":{"b":1},"b":2})", "x")["b"], 2);
  try {
    parse_json(R"({"a":1,"a":2})", "config.json");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "[json] config.json: key \"a\" stands twice in one object");
  }
}

TEST(Text, Utf8FaultsAreFoundAtTheirByte) {
  EXPECT_TRUE(check_utf8("a\xc3\xa9\xf0\x9f\x98\x80").valid);
  EXPECT_EQ(check_utf8("ab\xc0\x80").offset, 2u);    // overlong
  EXPECT_EQ(check_utf8("\xed\xa0\x80").offset, 0u);  // surrogate
  EXPECT_EQ(check_utf8("a\xe2\x82").offset, 1u);     // cut
  const std::vector<std::string> names{"learning-rate", "lr"};
  EXPECT_EQ(nearest_name("learning-rte", names), "learning-rate");
  EXPECT_EQ(nearest_name("zzzzzzzz", names), "");
}

TEST(ParallelFor, RunsAllAndRethrows) {
  std::atomic<int> sum{0};
  parallel_for(100, 4, [&](size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 4950);
  EXPECT_THROW(parallel_for(10, 3,
                            [](size_t i) {
                              if (i == 5) fail("x", "five");
                            }),
               Error);
}

}  // namespace
}  // namespace mindspeed
