#include "front/data/preprocess.h"

#include <filesystem>
#include <memory>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/base/text.h"
#include "front/data/prepare/fingerprint.h"
#include "front/data/prepare/ordered_pool.h"
#include "front/data/prepare/progress.h"
#include "front/formats/indexed/builder.h"

namespace mindspeed {
namespace {

namespace fs = std::filesystem;

// A chunk ends at whichever comes first: enough text to keep a worker busy, few enough records to bound
// memory.
constexpr uint64_t kChunkBytes = 256 << 10;
constexpr size_t kChunkRecords = 1024;

void check_options(const PreprocessOptions& options) {
  if (options.inputs.empty()) refuse("preprocess", "--input is missing; files or folders of text are needed");
  if (options.json_keys.empty()) refuse("preprocess", "--json-keys is empty; at least one key is needed");
  for (const std::string& key : options.json_keys)
    if (key.find('/') != std::string::npos)
      refuse("preprocess",
             "--json-keys: \"{}\" holds a '/' and cannot be part of an output's name; rename the key", key);
  if (options.output_prefix.empty()) refuse("preprocess", "--output-prefix is missing");
  if (options.append_eod && options.eod < 0)
    refuse("preprocess",
           "--append-eod: the tokenizer {} names no end-of-document token; leave the flag out or use "
           "another tokenizer",
           options.tokenizer);
}

std::vector<std::string> all_inputs(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs)
    for (std::string& file : list_inputs(input)) files.push_back(std::move(file));
  return files;
}

// The .bin/.idx pairs of all keys.
class Outputs {
 public:
  explicit Outputs(const PreprocessOptions& options) {
    for (const std::string& key : options.json_keys) {
      prefixes_.push_back(fmt::format("{}_{}_document", options.output_prefix, key));
      const fs::path prefix = fs::absolute(prefixes_.back());
      make_folder(prefix.parent_path());
      remove_dead_temporaries(prefix.parent_path(), prefix.filename().string() + ".");
      builders_.push_back(std::make_unique<IndexedDatasetBuilder>(prefixes_.back(), DType::i32));
    }
  }

  // Documents without tokens are counted and left out.
  void add(const EncodedChunk& chunk, PreprocessReport& report) {
    for (size_t k = 0; k < builders_.size(); ++k) {
      const EncodedKey& key = chunk.keys[k];
      size_t offset = 0;
      for (const int32_t length : key.lengths) {
        if (k == 0) ++(length == 0 ? report.empty : report.documents);
        if (length == 0) continue;
        builders_[k]->add_sequence(std::span(key.ids).subspan(offset, static_cast<size_t>(length)));
        builders_[k]->end_document();
        offset += static_cast<size_t>(length);
      }
      report.tokens += static_cast<int64_t>(key.ids.size());
    }
  }

  void finish() {
    // An older pair under the same name must not survive half: without its index it is no pair.
    for (const std::string& prefix : prefixes_)
      for (const std::string& path : {fingerprint_path(prefix), prefix + ".idx", prefix + ".bin"})
        fs::remove(path);
    for (auto& builder : builders_) builder->finish();
  }
  const std::vector<std::string>& prefixes() const { return prefixes_; }

 private:
  std::vector<std::string> prefixes_;
  std::vector<std::unique_ptr<IndexedDatasetBuilder>> builders_;
};

// Hands the records of all files to `submit` in chunks.
template <class Submit>
void read_chunks(const std::vector<std::string>& files, const PreprocessOptions& options,
                 const Submit& submit) {
  uint64_t earlier_bytes = 0;
  int64_t left = options.max_samples.value_or(INT64_MAX);
  for (const std::string& file : files) {
    const std::shared_ptr<RecordReader> reader = open_records(file, options.json_keys);
    RecordChunk chunk{reader, file, {}, 0, 0};
    RawRecord record;
    while (left > 0 && reader->next(record)) {
      --left;
      chunk.text_bytes += record.text.size();
      chunk.records.push_back(std::move(record));
      record = {};
      if (chunk.text_bytes < kChunkBytes && chunk.records.size() < kChunkRecords) continue;
      chunk.input_bytes = earlier_bytes + reader->bytes_read();
      submit(std::exchange(chunk, RecordChunk{reader, file, {}, 0, 0}));
    }
    earlier_bytes += fs::file_size(file);
    chunk.input_bytes = earlier_bytes;
    if (!chunk.records.empty()) submit(std::move(chunk));
  }
}

void report_faults(const PreprocessReport& report) {
  if (report.faults.total() == 0) return;
  std::vector<std::string> parts;
  for (size_t r = 0; r < kFaultReasons; ++r)
    if (report.faults.by_reason[r] > 0)
      parts.push_back(
          fmt::format("{} {}", report.faults.by_reason[r], fault_name(static_cast<FaultReason>(r))));
  log_warning("preprocess: skipped {} records ({}); the first: {}", report.faults.total(), join(parts, ", "),
              *report.faults.first);
}

}  // namespace

void require_pretrain_handler(const std::string& handler) {
  if (!handler.empty() && handler != "GeneralPretrainHandler")
    refuse("preprocess", "--handler-name {} came; only GeneralPretrainHandler is built so far", handler);
}

PreprocessReport preprocess(const PreprocessOptions& options, const EncoderFactory& encoders) {
  check_options(options);
  const std::vector<std::string> files = all_inputs(options.inputs);
  uint64_t total_bytes = 0;
  for (const std::string& file : files) total_bytes += fs::file_size(file);

  PreprocessReport report;
  Outputs outputs(options);
  PreprocessProgress progress(options.log_interval, total_bytes);
  const EncodeSettings settings{options.json_keys.size(),
                                options.append_eod ? static_cast<int32_t>(options.eod) : -1,
                                !options.skip_errors};
  const auto make_work = [&] {
    return [settings, encoder = encoders()](RecordChunk& chunk) {
      return encode_chunk(chunk, settings, encoder);
    };
  };
  OrderedPool<RecordChunk, EncodedChunk> pool(options.workers, make_work, [&](EncodedChunk& chunk) {
    outputs.add(chunk, report);
    report.faults.add(chunk.faults);
    progress.update(report.documents + report.empty, chunk.input_bytes);
  });
  read_chunks(files, options, [&](RecordChunk chunk) { pool.submit(std::move(chunk)); });
  pool.finish();

  report_faults(report);
  if (report.empty > 0) log_info("preprocess: {} empty documents left out", report.empty);
  if (report.documents == 0)
    fail("preprocess", "no document came out of {} files ({} empty, {} skipped); nothing was written",
         files.size(), report.empty, report.faults.total());
  outputs.finish();
  report.outputs = outputs.prefixes();
  for (size_t k = 0; k < options.json_keys.size(); ++k)
    write_fingerprint(report.outputs[k], options.json_keys[k], files, options, report);
  progress.finish(report.documents, total_bytes);
  return report;
}

}  // namespace mindspeed
