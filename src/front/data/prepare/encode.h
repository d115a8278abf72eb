// From raw records to token ids, in chunks that workers handle independently.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/data/readers/record.h"

namespace mindspeed {

class Tokenizer;

// Appends the ids of `text` to `ids`. Owned by one thread.
using Encoder = std::function<void(std::string_view text, std::vector<int32_t>& ids)>;
using EncoderFactory = std::function<Encoder()>;

// Encoders of a tokenizer: with the special tokens that its files add (BOS of Llama), without control tokens
// written in the text.
EncoderFactory tokenizer_encoders(std::shared_ptr<const Tokenizer> tokenizer);

struct RecordChunk {
  std::shared_ptr<const RecordReader> reader;  // decodes the records
  std::string path;
  std::vector<RawRecord> records;
  uint64_t text_bytes = 0;   // size of the raw records
  uint64_t input_bytes = 0;  // of all inputs, up to the end of this chunk
};

// The documents of one key: ids one after another, and the length of each document (0 = empty).
struct EncodedKey {
  std::vector<int32_t> ids;
  std::vector<int32_t> lengths;
};

struct FaultCounts {
  std::array<int64_t, kFaultReasons> by_reason{};
  std::optional<std::string> first;  // "path:line:byte: reason: detail"
  int64_t total() const;
  void add(const FaultCounts& later);
};

struct EncodedChunk {
  std::vector<EncodedKey> keys;
  FaultCounts faults;
  uint64_t input_bytes = 0;
};

struct EncodeSettings {
  size_t keys = 1;
  int32_t eod = -1;           // appended to every document that has tokens; -1 = nothing is appended
  bool stop_on_fault = true;  // a bad record throws Error with path, line, byte and reason
};

EncodedChunk encode_chunk(const RecordChunk& chunk, const EncodeSettings& settings, const Encoder& encoder);

}  // namespace mindspeed
