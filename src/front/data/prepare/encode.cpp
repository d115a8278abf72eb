#include "front/data/prepare/encode.h"

#include <numeric>
#include <utility>

#include "front/base/error.h"
#include "front/data/index/checked.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

EncoderFactory tokenizer_encoders(std::shared_ptr<const Tokenizer> tokenizer) {
  return [tokenizer = std::move(tokenizer)] {
    const auto scratch = std::make_shared<EncodeScratch>();
    return [tokenizer, scratch](std::string_view text, std::vector<int32_t>& ids) {
      EncodeOptions options;
      options.add_special_tokens = true;
      const std::vector<int32_t> found = tokenizer->encode(text, options, scratch.get());
      ids.insert(ids.end(), found.begin(), found.end());
    };
  };
}

int64_t FaultCounts::total() const { return std::accumulate(by_reason.begin(), by_reason.end(), int64_t{0}); }

void FaultCounts::add(const FaultCounts& later) {
  for (size_t r = 0; r < kFaultReasons; ++r) by_reason[r] += later.by_reason[r];
  if (!first) first = later.first;
}

EncodedChunk encode_chunk(const RecordChunk& chunk, const EncodeSettings& settings, const Encoder& encoder) {
  EncodedChunk out;
  out.keys.resize(settings.keys);
  out.input_bytes = chunk.input_bytes;
  std::vector<std::string> fields;
  for (const RawRecord& record : chunk.records) {
    const auto fault = record.fault ? record.fault : chunk.reader->decode(record, fields);
    if (fault) {
      const std::string where = fmt::format("{}:{}:{}: {}: {}", chunk.path, fault->position.line,
                                            fault->position.byte, fault_name(fault->reason), fault->detail);
      if (settings.stop_on_fault)
        fail("preprocess",
             "{} (file:line:byte); repair it, or pass --on-error skip to leave such records out", where);
      ++out.faults.by_reason[static_cast<size_t>(fault->reason)];
      if (!out.faults.first) out.faults.first = where;
      continue;
    }
    for (size_t k = 0; k < settings.keys; ++k) {
      EncodedKey& key = out.keys[k];
      const size_t before = key.ids.size();
      if (!fields[k].empty()) encoder(fields[k], key.ids);
      if (key.ids.size() > before && settings.eod >= 0) key.ids.push_back(settings.eod);
      key.lengths.push_back(
          checked_int32(static_cast<int64_t>(key.ids.size() - before), "tokens of one document"));
    }
  }
  return out;
}

}  // namespace mindspeed
