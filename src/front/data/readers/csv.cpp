// .csv files by RFC 4180: a header line, commas, fields in double quotes may hold commas, line ends and ""
// for a quote.
#include <algorithm>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/data/readers/byte_stream.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

// Splits one record. Returns what is wrong with it and at which byte, or an empty message.
struct CsvProblem {
  std::string message;
  size_t offset = 0;
};

CsvProblem split_csv(std::string_view text, std::vector<std::string>& fields) {
  fields.clear();
  size_t i = 0;
  while (true) {
    std::string& field = fields.emplace_back();
    if (i < text.size() && text[i] == '"') {
      const size_t open = i++;
      while (true) {
        const size_t quote = text.find('"', i);
        if (quote == std::string_view::npos) return {"a quoted field does not end", open};
        field.append(text, i, quote - i);
        i = quote + 1;
        if (i == text.size() || text[i] != '"') break;
        field.push_back('"');
        ++i;
      }
      if (i < text.size() && text[i] != ',') return {"text after the closing quote of a field", i};
    } else {
      const size_t comma = std::min(text.find(',', i), text.size());
      field = text.substr(i, comma - i);
      if (const size_t quote = field.find('"'); quote != std::string::npos)
        return {"a quote inside a field that is not quoted", i + quote};
      i = comma;
    }
    if (i == text.size()) return {};
    ++i;
  }
}

class CsvReader : public RecordReader {
 public:
  CsvReader(const std::string& path, const std::vector<std::string>& keys) : stream_(path) {
    RawRecord header;
    if (!CsvReader::next(header)) refuse("csv", "{}: the file is empty; a header line is needed", path);
    std::vector<std::string> names;
    if (const CsvProblem problem = split_csv(header.text, names); !problem.message.empty())
      refuse("csv", "{}:1:{}: header: {}", path, problem.offset, problem.message);
    column_count_ = names.size();
    for (const std::string& key : keys) {
      const auto found = std::find(names.begin(), names.end(), key);
      if (found == names.end())
        refuse("csv", "{}: no column \"{}\"; the columns are {}: choose with --json-keys", path, key,
               join(names, ", "));
      columns_.push_back(static_cast<size_t>(found - names.begin()));
    }
  }

  bool next(RawRecord& record) override {
    do {
      record.position = {stream_.line(), stream_.offset()};
      if (!stream_.get_line(record.text)) return false;
      record.cut = !stream_.line_was_terminated();
    } while (record.text.empty());
    // An odd number of quotes: the record goes on behind the line end.
    std::string more;
    while (std::count(record.text.begin(), record.text.end(), '"') % 2 == 1 && stream_.get_line(more)) {
      record.text += '\n';
      record.text += more;
      record.cut = !stream_.line_was_terminated();
    }
    return true;
  }

  std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const override {
    if (auto fault = check_text(record.text, record.position)) return fault;
    std::vector<std::string> all;
    if (const CsvProblem problem = split_csv(record.text, all); !problem.message.empty()) {
      const bool open_quote = std::count(record.text.begin(), record.text.end(), '"') % 2 == 1;
      const TextPosition at{record.position.line, record.position.byte + problem.offset};
      return Fault{open_quote ? FaultReason::truncated : FaultReason::bad_syntax, at, problem.message};
    }
    if (all.size() != column_count_)
      return Fault{
          record.cut && all.size() < column_count_ ? FaultReason::truncated : FaultReason::bad_syntax,
          record.position, fmt::format("{} fields; the header names {}", all.size(), column_count_)};
    fields.clear();
    for (const size_t column : columns_) fields.push_back(std::move(all[column]));
    return std::nullopt;
  }
  uint64_t bytes_read() const override { return stream_.bytes_read(); }

 private:
  ByteStream stream_;
  size_t column_count_ = 0;
  std::vector<size_t> columns_;
};

}  // namespace

std::unique_ptr<RecordReader> open_csv(const std::string& path, const std::vector<std::string>& keys) {
  return std::make_unique<CsvReader>(path, keys);
}

}  // namespace mindspeed
