// Records of text files: the interface of the readers, and the faults that dirty files have.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed {

struct TextPosition {
  uint64_t line = 0;  // from 1 (for Parquet: the row)
  uint64_t byte = 0;  // from 0, in the file (for Parquet: 0)
};

enum class FaultReason { bad_utf8, nul_byte, bad_syntax, truncated, missing_key, wrong_type };
inline constexpr size_t kFaultReasons = 6;
// "invalid UTF-8", "NUL byte", "malformed", "truncated", "missing key", "wrong type".
std::string_view fault_name(FaultReason reason);

struct Fault {
  FaultReason reason;
  TextPosition position;
  std::string detail;
};

// A record as the file holds it: raw text that decode() takes apart, or (Parquet) the fields themselves.
struct RawRecord {
  std::string text;
  std::vector<std::optional<std::string>> columns;  // Parquet only: one per key, nothing for null
  TextPosition position;
  bool cut = false;            // the file ended inside this record
  std::optional<Fault> fault;  // the reader itself found the record broken
};

// One input file. next() is called from one thread and takes constant memory (one record); decode() may be
// called from many threads at once.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // False at the end. Blank lines between records are skipped.
  virtual bool next(RawRecord& record) = 0;
  // Fills `fields` with the value of every key, or tells what is wrong with the record.
  virtual std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const = 0;
  // Bytes taken from the file so far, for progress.
  virtual uint64_t bytes_read() const = 0;
};

// Readers by extension: .jsonl, .json (an array of objects, or one object after another), .txt (each line is
// a record, as the "text" loader of Hugging Face datasets), .csv (RFC 4180 with a header line), .parquet
// (string columns; opens libmindspeed_parquet.so). All but Parquet, which is packed inside, may end in .gz or
// .zst too. Positions are those of the unpacked text. Throws Error (exit code 2) for another extension.
std::unique_ptr<RecordReader> open_records(const std::string& path, const std::vector<std::string>& keys);

// Whether open_records knows the extension.
bool has_record_format(const std::string& path);

// The files of an input: the file itself, those that a pattern (*.jsonl.gz) matches, sorted, or the files of
// a folder that have a known extension, sorted by name; the others are named in the log. Throws Error (exit
// code 2) when there are none, or of several formats, and for a device.
std::vector<std::string> list_inputs(const std::string& input);

// Checks shared by the readers: bad UTF-8 or a NUL byte in `text`, which begins at `position` on one line.
std::optional<Fault> check_text(std::string_view text, TextPosition position);

}  // namespace mindspeed
