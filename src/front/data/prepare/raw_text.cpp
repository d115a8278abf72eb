#include "front/data/prepare/raw_text.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/file_lock.h"
#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/base/log.h"
#include "front/data/prepare/fingerprint.h"
#include "front/data/preprocess.h"
#include "front/data/readers/record.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {
namespace {

constexpr int kRawTextVersion = 1;

// SHA-256 of a file's bytes. They are read once: the answer is noted in `folder` and holds while size and
// time stay.
std::string content_hash(const fs::path& file, const fs::path& folder) {
  struct ::stat now {};
  if (::stat(file.c_str(), &now) != 0) fail("data", "{}: {}", file.string(), std::strerror(errno));
  const std::string state = fmt::format("{} {}.{:09}", now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec);
  const fs::path note =
      folder / (sha256_hex(fs::absolute(file).lexically_normal().string()).substr(0, 16) + ".content");
  if (fs::exists(note)) {
    const std::string known = read_file(note);
    if (known.starts_with(state + "\n")) return known.substr(state.size() + 1);
  }
  std::string hash = sha256_file(file);
  write_file_atomic(note, state + "\n" + hash);
  return hash;
}

PreprocessOptions options_of(const Plan& plan, const std::string& path, const Tokenizer& tokenizer) {
  PreprocessOptions options;
  options.inputs = {path};
  options.json_keys = {plan.data.raw.key};
  options.append_eod = plan.data.raw.append_eod;
  options.eod = tokenizer.eos().value_or(-1);
  options.workers = plan.data.raw.workers;
  options.skip_errors = plan.data.raw.skip_errors;
  options.log_interval = 10'000;
  options.tokenizer = plan.data.tokenizer;
  options.tokenizer_fingerprint = tokenizer.fingerprint();
  options.vocab_size = tokenizer.vocab_size();
  return options;
}

std::string name_of(const PreprocessOptions& options, const fs::path& folder) {
  OrderedJson what;
  what["version"] = kRawTextVersion;
  for (const std::string& file : list_inputs(options.inputs.front()))
    what["texts"].push_back(content_hash(file, folder));
  what["key"] = options.json_keys.front();
  what["eod"] = options.append_eod ? options.eod : -1;
  what["skip_errors"] = options.skip_errors;
  what["tokenizer"] = options.tokenizer_fingerprint;
  return sha256_hex(what.dump()).substr(0, 16);
}

std::string tokenised(const Plan& plan, const std::string& path,
                      const std::shared_ptr<const Tokenizer>& tokenizer) {
  const fs::path folder = raw_text_folder(path, plan.data.cache_path);
  try {
    make_folder(folder);
    check_output_file(folder / "probe");
  } catch (const Error& error) {
    refuse("--data-path",
           "{}: its tokenised form cannot be kept: {}; name another folder with --data-cache-path", path,
           error.what());
  }
  const FileLock lock(folder / ".lock");
  PreprocessOptions options = options_of(plan, path, *tokenizer);
  options.output_prefix = (folder / name_of(options, folder)).string();
  const std::string prefix = fmt::format("{}_{}_document", options.output_prefix, options.json_keys.front());
  // The fingerprint is written last: with it, the pair is complete.
  if (fs::exists(fingerprint_path(prefix)) && fs::exists(prefix + ".bin") && fs::exists(prefix + ".idx")) {
    log_info("data: {} was tokenised before: {}", path, prefix);
    return prefix;
  }
  log_info("data: {} is tokenised with {} into {}", path, plan.data.tokenizer, prefix);
  const PreprocessReport report = preprocess(options, tokenizer_encoders(tokenizer));
  log_info("data: {} documents, {} tokens", report.documents, report.tokens);
  return report.outputs.front();
}

}  // namespace

bool is_raw_text(const std::string& path) {
  if (fs::exists(path + ".idx") || fs::exists(path + ".bin")) return false;
  return has_record_format(path) || fs::is_directory(path) || path.find_first_of("*?[") != std::string::npos;
}

fs::path raw_text_folder(const std::string& path, const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const fs::path text = fs::absolute(path).lexically_normal();
  return (text.has_filename() ? text.parent_path() : text.parent_path().parent_path()) / "mindspeed_cache";
}

void prepare_raw_text(Plan& plan, const OpenTokenizer& open) {
  std::shared_ptr<const Tokenizer> tokenizer;
  for (std::string& path : plan.data.paths) {
    if (!is_raw_text(path)) continue;
    if (tokenizer == nullptr) tokenizer = std::make_shared<const Tokenizer>(open(plan.data.tokenizer));
    path = tokenised(plan, path, tokenizer);
  }
}

}  // namespace mindspeed
