// Files of one record per line: .jsonl and .txt.
#include "front/base/text.h"
#include "front/data/readers/byte_stream.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

class LineReader : public RecordReader {
 public:
  explicit LineReader(const std::string& path) : stream_(path) {}
  uint64_t bytes_read() const override { return stream_.bytes_read(); }

 protected:
  bool next_line(RawRecord& record) {
    record.position = {stream_.line(), stream_.offset()};
    if (!stream_.get_line(record.text)) return false;
    record.cut = !stream_.line_was_terminated();
    return true;
  }

 private:
  ByteStream stream_;
};

class JsonlReader : public LineReader {
 public:
  JsonlReader(const std::string& path, const std::vector<std::string>& keys)
      : LineReader(path), keys_(keys) {}
  bool next(RawRecord& record) override {
    do {
      if (!next_line(record)) return false;
    } while (trim(record.text).empty());
    return true;
  }
  std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const override {
    return decode_json_object(record, keys_, fields);
  }

 private:
  std::vector<std::string> keys_;
};

class TextReader : public LineReader {
 public:
  TextReader(const std::string& path, size_t fields) : LineReader(path), fields_(fields) {}
  bool next(RawRecord& record) override { return next_line(record); }
  std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const override {
    if (auto fault = check_text(record.text, record.position)) return fault;
    fields.assign(fields_, record.text);
    return std::nullopt;
  }

 private:
  size_t fields_;
};

}  // namespace

std::unique_ptr<RecordReader> open_jsonl(const std::string& path, const std::vector<std::string>& keys) {
  return std::make_unique<JsonlReader>(path, keys);
}

std::unique_ptr<RecordReader> open_text(const std::string& path, const std::vector<std::string>& keys) {
  return std::make_unique<TextReader>(path, keys.size());
}

}  // namespace mindspeed
