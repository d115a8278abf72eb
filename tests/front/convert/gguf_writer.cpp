#include "tests/front/convert/gguf_writer.h"

#include <cstring>

namespace mindspeed::test {
namespace {

constexpr size_t kAlignment = 32;
enum : uint32_t { kU32 = 4, kF32 = 6, kString = 8 };

class Bytes {
 public:
  template <class T>
  void number(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void string(const std::string& s) {
    number<uint64_t>(s.size());
    text_ += s;
  }
  void align() { text_.resize((text_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0'); }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

}  // namespace

void write_gguf(const fs::path& path, const GgufMetadata& metadata,
                const std::vector<GgufTestTensor>& tensors) {
  Bytes head, data;
  head.text() = "GGUF";
  head.number<uint32_t>(3);
  head.number<uint64_t>(tensors.size());
  head.number<uint64_t>(metadata.size());
  for (const auto& [key, value] : metadata) {
    head.string(key);
    head.number<uint32_t>(value.index() == 0 ? kU32 : value.index() == 1 ? kF32 : kString);
    if (const auto* n = std::get_if<uint32_t>(&value)) head.number(*n);
    if (const auto* f = std::get_if<float>(&value)) head.number(*f);
    if (const auto* s = std::get_if<std::string>(&value)) head.string(*s);
  }
  for (const GgufTestTensor& t : tensors) {
    data.align();
    head.string(t.name);
    head.number<uint32_t>(static_cast<uint32_t>(t.shape.size()));
    for (auto it = t.shape.rbegin(); it != t.shape.rend(); ++it)
      head.number<uint64_t>(static_cast<uint64_t>(*it));
    head.number<uint32_t>(0);  // fp32
    head.number<uint64_t>(data.text().size());
    for (const float v : t.values) data.number(v);
  }
  head.align();
  write_file_atomic(path, head.text() + data.text());
}

}  // namespace mindspeed::test
