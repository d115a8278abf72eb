#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/base/text.h"
#include "front/data/readers/byte_source.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

namespace fs = std::filesystem;

using Factory = std::unique_ptr<RecordReader> (*)(const std::string&, const std::vector<std::string>&);

struct Format {
  std::string_view extension;
  Factory open;
};
constexpr std::array<Format, 5> kFormats{{{".csv", open_csv},
                                          {".json", open_json},
                                          {".jsonl", open_jsonl},
                                          {".parquet", open_parquet},
                                          {".txt", open_text}}};

const Format* format_of(const fs::path& path) {
  const std::string extension = without_compression(path).extension().string();
  for (const Format& format : kFormats)
    if (format.extension == extension)
      return extension == ".parquet" && path.extension() != extension ? nullptr : &format;
  return nullptr;
}

// The files that a pattern of the shell names, sorted; the shell leaves a quoted one, or one without match,
// as it is.
std::vector<std::string> matches(const std::string& pattern) {
  ::glob_t found{};
  const int result = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files;
  for (size_t i = 0; result == 0 && i < found.gl_pathc; ++i)
    if (fs::is_regular_file(found.gl_pathv[i])) files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (files.empty()) refuse("input", "{}: no file matches this pattern", pattern);
  return files;
}

}  // namespace

std::string_view fault_name(FaultReason reason) {
  constexpr std::array<std::string_view, kFaultReasons> names{"invalid UTF-8", "NUL byte",    "malformed",
                                                              "truncated",     "missing key", "wrong type"};
  return names[static_cast<size_t>(reason)];
}

std::optional<Fault> check_text(std::string_view text, TextPosition position) {
  if (const Utf8Check check = check_utf8(text); !check.valid) {
    position.line +=
        static_cast<uint64_t>(std::count(text.begin(), text.begin() + static_cast<long>(check.offset), '\n'));
    position.byte += check.offset;
    return Fault{FaultReason::bad_utf8, position,
                 fmt::format("byte 0x{:02x} is no UTF-8", static_cast<unsigned char>(text[check.offset]))};
  }
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    position.byte += nul;
    return Fault{FaultReason::nul_byte, position, "a NUL byte stands in the text"};
  }
  return std::nullopt;
}

std::unique_ptr<RecordReader> open_records(const std::string& path, const std::vector<std::string>& keys) {
  if (const Format* format = format_of(path)) return format->open(path, keys);
  refuse("input",
         "{}: extension \"{}\" came; .jsonl, .json, .txt, .csv (these also with .gz or .zst) or .parquet is "
         "needed",
         path, fs::path(path).extension().string());
}

bool has_record_format(const std::string& path) { return format_of(path) != nullptr; }

std::vector<std::string> list_inputs(const std::string& input) {
  if (!fs::exists(input) && input.find_first_of("*?[") != std::string::npos) return matches(input);
  if (!fs::exists(input)) refuse("input", "{}: no such file or folder", input);
  if (fs::is_regular_file(input)) return {input};
  if (!fs::is_directory(input))
    refuse("input",
           "{}: is a device or pipe; a regular file or a folder is needed, because the text is read twice",
           input);
  std::vector<std::string> files, others;
  std::set<std::string> extensions;
  for (const auto& entry : fs::directory_iterator(input)) {
    if (!entry.is_regular_file()) continue;
    const bool readable = format_of(entry.path()) != nullptr;
    (readable ? files : others).push_back(entry.path().string());
    if (readable) extensions.insert(without_compression(entry.path()).extension().string());
  }
  if (files.empty())
    refuse("input", "{}: the folder holds no .jsonl, .json, .txt, .csv or .parquet file", input);
  if (extensions.size() > 1)
    refuse("input",
           "{}: the folder holds files of several formats ({}); name the files that are meant, as in {}/*{}",
           input, join(std::vector<std::string>(extensions.begin(), extensions.end()), ", "), input,
           *extensions.begin());
  std::sort(files.begin(), files.end());
  std::sort(others.begin(), others.end());
  if (!others.empty()) log_info("input: not read: {}", join(others, ", "));
  return files;
}

}  // namespace mindspeed
