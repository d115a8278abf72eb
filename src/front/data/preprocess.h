// `mindspeed preprocess`: text files to Megatron's .bin/.idx pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front/data/prepare/encode.h"

namespace mindspeed {

struct PreprocessOptions {
  std::vector<std::string> inputs;  // files or folders
  std::vector<std::string> json_keys{"text"};
  std::string output_prefix;  // its folder must exist
  bool append_eod = false;
  int64_t eod = -1;  // needed with append_eod
  int workers = 1;
  int64_t log_interval = 100;          // documents between progress lines
  bool skip_errors = false;            // --on-error skip: bad records are counted and left out
  std::optional<int64_t> max_samples;  // records to take, over all inputs
  std::string tokenizer;               // as the user named it, for the record
  std::string tokenizer_fingerprint;   // for the record: training with another tokenizer is refused
  int64_t vocab_size = 0;
};

// Refuses handlers that are not built; "" is the general one. Throws Error (exit code 2).
void require_pretrain_handler(const std::string& handler);

struct PreprocessReport {
  int64_t documents = 0;  // written, of the first key
  int64_t empty = 0;      // without any token: left out
  int64_t tokens = 0;     // of all keys
  FaultCounts faults;
  std::vector<std::string> outputs;  // prefixes for --data-path
};

// Writes {output_prefix}_{key}_document.{bin,idx} (int32) and, last, the fingerprint {...}_document.json, for
// every key. The bytes do not depend on the number of workers; memory does not grow with the size of the
// input. A run that stops half way leaves no file under a final name. Throws Error: exit code 2 for bad
// options, 1 for bad data, with file, line, byte and reason.
PreprocessReport preprocess(const PreprocessOptions& options, const EncoderFactory& encoders);

}  // namespace mindspeed
