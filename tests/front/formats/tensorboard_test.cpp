#include "front/formats/tensorboard.h"

#include <vector>

#include "front/base/hash.h"
#include "tests/front/formats/support.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

// The payloads of a file, after checking both checksums of every frame.
std::vector<std::string> payloads(const std::string& file) {
  const auto unmask = [](uint32_t masked) {
    const uint32_t rotated = masked - 0xa282ead8u;
    return rotated >> 17 | rotated << 15;
  };
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, file.data() + at, 4);
    return value;
  };
  std::vector<std::string> result;
  for (size_t at = 0; at < file.size();) {
    uint64_t length = 0;
    std::memcpy(&length, file.data() + at, 8);
    EXPECT_EQ(unmask(word(at + 8)), crc32c(test::bytes_of(file.substr(at, 8))));
    result.push_back(file.substr(at + 12, length));
    EXPECT_EQ(unmask(word(at + 12 + length)), crc32c(test::bytes_of(result.back())));
    at += 16 + length;
  }
  return result;
}

TEST(Tensorboard, EventsAreTheProtobufOfEventProto) {
  // double 1.0 = 00 .. f0 3f; step 300 = ac 02; float 2.5 = 00 00 20 40
  EXPECT_EQ(tensorboard_version_event(1.0),
            std::string("\x09\0\0\0\0\0\0\xf0\x3f\x1a\x0d", 11) + "brain.Event:2");
  EXPECT_EQ(
      tensorboard_scalar_event("loss", 300, 2.5f, 1.0),
      std::string("\x09\0\0\0\0\0\0\xf0\x3f\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\x20\x40", 27));
}

TEST(Tensorboard, AFileHoldsTheVersionAndEveryPoint) {
  const std::string folder = test::temporary_dir("tb") + "/new/folder";
  fs::path path;
  {
    TensorboardWriter writer(folder, 1000.5);
    path = writer.path();
    writer.scalar("lm loss", 1, 10.25, 1001.0);
    writer.flush();
    EXPECT_EQ(payloads(read_file(path)).size(), 2u);
    writer.scalar("lm loss", 2, -0.5, 1002.0);
    TensorboardWriter second(folder, 1000.5);
    EXPECT_NE(second.path(), path);
  }
  EXPECT_TRUE(path.filename().string().starts_with("events.out.tfevents.0000001000."));
  const std::vector<std::string> events = payloads(read_file(path));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0], tensorboard_version_event(1000.5));
  EXPECT_EQ(events[2], tensorboard_scalar_event("lm loss", 2, -0.5f, 1002.0));
}

TEST(Tensorboard, AFolderThatCannotBeMadeIsAnError) {
  const std::string file = test::temporary_dir("tb") + "/file";
  test::put_file(file, "x");
  EXPECT_TRUE(test::contains(test::error_of([&] { TensorboardWriter writer(file + "/logs"); }),
                             "[tensorboard] " + file));
}

}  // namespace
}  // namespace mindspeed
