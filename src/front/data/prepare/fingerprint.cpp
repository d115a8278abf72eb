#include "front/data/prepare/fingerprint.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/data/preprocess.h"

namespace mindspeed {
namespace {

constexpr int kVersion = 1;

// CRC-32C of a file, in pieces: inputs may be larger than memory.
uint32_t file_crc(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  uint32_t crc = 0;
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    crc = crc32c(std::as_bytes(std::span(buffer.data(), static_cast<size_t>(in.gcount()))), crc);
  }
  if (!in.eof()) fail("read", "{}: reading stopped half way", path);
  return crc;
}

}  // namespace

std::string fingerprint_path(const std::string& prefix) { return prefix + ".json"; }

void write_fingerprint(const std::string& prefix, const std::string& key,
                       const std::vector<std::string>& files, const PreprocessOptions& options,
                       const PreprocessReport& report) {
  OrderedJson inputs = OrderedJson::array();
  for (const std::string& file : files)
    inputs.push_back({{"name", fs::path(file).filename().string()},
                      {"bytes", fs::file_size(file)},
                      {"crc32c", fmt::format("{:08x}", file_crc(file))}});
  OrderedJson json;
  json["version"] = kVersion;
  json["inputs"] = std::move(inputs);
  json["key"] = key;
  json["append_eod"] = options.append_eod;
  json["eod"] = options.eod;
  json["max_samples"] = options.max_samples ? OrderedJson(*options.max_samples) : OrderedJson(nullptr);
  json["tokenizer"] = options.tokenizer;
  json["tokenizer_fingerprint"] = options.tokenizer_fingerprint;
  json["vocab_size"] = options.vocab_size;
  json["documents"] = report.documents;
  json["empty_documents"] = report.empty;
  json["skipped_records"] = report.faults.total();
  write_file_atomic(fingerprint_path(prefix), json.dump(2) + "\n");
}

void check_fingerprint(const std::string& prefix, const std::string& tokenizer_fingerprint) {
  const std::string path = fingerprint_path(prefix);
  if (tokenizer_fingerprint.empty() || !fs::exists(path)) return;
  const Json json = read_json(path);
  const std::string made_with = json.value("tokenizer_fingerprint", "");
  if (made_with.empty() || made_with == tokenizer_fingerprint) return;
  refuse("data",
         "{}: the data were made with the tokenizer {} (fingerprint {:.12}); this run has another "
         "(fingerprint {:.12}): "
         "preprocess the text again with this run's tokenizer, or name the right one",
         prefix, json.value("tokenizer", "?"), made_with, tokenizer_fingerprint);
}

}  // namespace mindspeed
