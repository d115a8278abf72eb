// .json files: an array of objects, or objects one after another; cut into records by bracket depth, so that
// memory is one record however large the file is.
#include <cctype>

#include "front/data/readers/byte_stream.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

class JsonArrayReader : public RecordReader {
 public:
  JsonArrayReader(const std::string& path, const std::vector<std::string>& keys)
      : stream_(path), keys_(keys) {
    skip_blanks();
    in_array_ = stream_.peek() == '[';
    if (in_array_) stream_.get();
  }

  bool next(RawRecord& record) override {
    record.text.clear();
    record.fault.reset();
    record.cut = false;
    if (ended_) return false;
    skip_blanks();
    if (in_array_ && !first_ && stream_.peek() == ',') {
      stream_.get();
      skip_blanks();
    }
    record.position = {stream_.line(), stream_.offset()};
    if (stream_.at_end()) return end_of_file(record);
    if (in_array_ && stream_.peek() == ']') return end_of_array(record);
    first_ = false;
    read_value(record);
    return true;
  }

  std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const override {
    return decode_json_object(record, keys_, fields);
  }
  uint64_t bytes_read() const override { return stream_.bytes_read(); }

 private:
  void skip_blanks() {
    while (stream_.peek() != ByteStream::kEnd && std::isspace(stream_.peek()) != 0) stream_.get();
  }

  bool end_of_file(RawRecord& record) {
    ended_ = true;
    if (!in_array_) return false;
    record.fault =
        Fault{FaultReason::truncated, record.position, "the file ends before the ']' of its array"};
    return true;
  }

  bool end_of_array(RawRecord& record) {
    ended_ = true;
    stream_.get();
    skip_blanks();
    if (stream_.at_end()) return false;
    record.position = {stream_.line(), stream_.offset()};
    record.fault = Fault{FaultReason::bad_syntax, record.position, "text after the ']' of the array"};
    return true;
  }

  // One value: up to the bracket that closes it, or, for anything but an object or array, up to the next
  // comma.
  void read_value(RawRecord& record) {
    int depth = 0;
    bool in_string = false;
    while (true) {
      const int c = stream_.peek();
      if (c == ByteStream::kEnd) {
        record.cut = true;
        ended_ = true;
        return;
      }
      const bool outside = !in_string && depth == 0;
      if (outside && !record.text.empty() && (c == ',' || c == ']')) return;
      record.text.push_back(static_cast<char>(stream_.get()));
      if (in_string) {
        if (c == '\\' && stream_.peek() != ByteStream::kEnd)
          record.text.push_back(static_cast<char>(stream_.get()));
        else if (c == '"')
          in_string = false;
        continue;
      }
      if (c == '"') in_string = true;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth <= 0) return;
    }
  }

  ByteStream stream_;
  std::vector<std::string> keys_;
  bool in_array_ = false;
  bool first_ = true;
  bool ended_ = false;
};

// Whether the file holds one complete object per line, as many .json files do.
bool is_json_lines(const std::string& path, const std::vector<std::string>& keys) {
  ByteStream stream(path);
  RawRecord record;
  while (stream.get_line(record.text))
    if (record.text.find_first_not_of(" \t") != std::string::npos) break;
  if (record.text.empty() || record.text.front() != '{') return false;
  std::vector<std::string> fields;
  const auto fault = decode_json_object(record, keys, fields);
  return !fault || (fault->reason != FaultReason::bad_syntax && fault->reason != FaultReason::truncated);
}

}  // namespace

std::unique_ptr<RecordReader> open_json(const std::string& path, const std::vector<std::string>& keys) {
  if (is_json_lines(path, keys)) return open_jsonl(path, keys);
  return std::make_unique<JsonArrayReader>(path, keys);
}

}  // namespace mindspeed
