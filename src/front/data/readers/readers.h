// One factory per file format; open_records() chooses among them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "front/data/readers/record.h"

namespace mindspeed {

std::unique_ptr<RecordReader> open_jsonl(const std::string& path, const std::vector<std::string>& keys);
std::unique_ptr<RecordReader> open_json(const std::string& path, const std::vector<std::string>& keys);
std::unique_ptr<RecordReader> open_text(const std::string& path, const std::vector<std::string>& keys);
std::unique_ptr<RecordReader> open_csv(const std::string& path, const std::vector<std::string>& keys);
std::unique_ptr<RecordReader> open_parquet(const std::string& path, const std::vector<std::string>& keys);

// The string values of `keys` in a JSON object. Other values are skipped without being stored; of a key that
// stands twice the last one counts, as in Python.
std::optional<Fault> decode_json_object(const RawRecord& record, const std::vector<std::string>& keys,
                                        std::vector<std::string>& fields);

}  // namespace mindspeed
