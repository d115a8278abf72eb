// A cursor over the bytes of a GGUF header; every read is checked against the end of the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "front/formats/gguf/gguf_file.h"

namespace mindspeed {

class GgufReader {
 public:
  GgufReader(std::span<const std::byte> bytes, std::string origin)
      : bytes_(bytes), origin_(std::move(origin)) {}

  uint64_t position() const { return position_; }
  const std::string& origin() const { return origin_; }

  template <class T>
  T number() {
    need(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }
  std::string string();
  // A count of items that take at least `item_bytes` each; throws Error if they cannot fit the rest of the
  // file.
  uint64_t count(std::string_view what, uint64_t item_bytes);
  GgufValue value(int depth = 0);
  GgufTensor tensor();

 private:
  void need(uint64_t bytes) const;
  GgufValue value_of(GgufType type, int depth);
  GgufType type();
  std::span<const std::byte> bytes_;
  std::string origin_;
  uint64_t position_ = 0;
};

}  // namespace mindspeed
