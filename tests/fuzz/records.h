// Reads every record of a text file, as preprocess does.
#pragma once

#include "front/data/readers/record.h"
#include "tests/fuzz/fuzz.h"

namespace mindspeed::fuzz {

inline int read_records(std::string_view name, std::string_view content) {
  const std::filesystem::path path = folder().put(name, content);
  return expect_answer([&] {
    const auto reader = open_records(path.string(), {"text"});
    RawRecord record;
    std::vector<std::string> fields;
    while (reader->next(record)) {
      if (const auto fault = reader->decode(record, fields)) {
        if (fault->position.byte > content.size()) std::abort();
      } else if (fields.size() != 1) {
        std::abort();
      }
    }
  });
}

}  // namespace mindspeed::fuzz
