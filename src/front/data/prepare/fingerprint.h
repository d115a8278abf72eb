// The JSON file beside a .bin/.idx pair that says what it was made from.
#pragma once

#include <string>
#include <vector>

namespace mindspeed {

struct PreprocessOptions;
struct PreprocessReport;

// Path of the fingerprint of a .bin/.idx prefix: {prefix}.json.
std::string fingerprint_path(const std::string& prefix);

// Writes it: inputs (name, bytes, CRC-32C of the content), key, options, tokenizer, counts.
void write_fingerprint(const std::string& prefix, const std::string& key,
                       const std::vector<std::string>& files, const PreprocessOptions& options,
                       const PreprocessReport& report);

// Throws Error (exit code 2) when `prefix` has a fingerprint that names another tokenizer than
// `tokenizer_fingerprint`. Files without a fingerprint (made by Megatron) and an empty argument pass.
void check_fingerprint(const std::string& prefix, const std::string& tokenizer_fingerprint);

}  // namespace mindspeed
