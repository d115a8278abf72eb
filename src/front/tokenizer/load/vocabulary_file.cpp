#include "front/tokenizer/load/vocabulary_file.h"

#include <nlohmann/json.hpp>
#include <regex>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/tokenizer/load/sentencepiece.h"
#include "front/tokenizer/load/tekken.h"
#include "front/tokenizer/load/tiktoken_models.h"

namespace mindspeed::tokenization {
namespace {

// What `files` (of the folder) leaves out comes from `own` (of the vocabulary).
TokenizerConfig joined(TokenizerConfig files, const TokenizerConfig& own) {
  const auto fill = [](auto& target, const auto& source) {
    if (!target) target = source;
  };
  fill(files.bos, own.bos);
  fill(files.eos, own.eos);
  fill(files.pad, own.pad);
  fill(files.unk, own.unk);
  fill(files.add_bos, own.add_bos);
  fill(files.add_eos, own.add_eos);
  return files;
}

TokenizerParts sentencepiece_parts(std::string_view content, const TokenizerConfig& files,
                                   std::string_view origin) {
  GgufVocabulary vocabulary = read_sentencepiece(content, origin);
  vocabulary.prefix_every_text = files.legacy.value_or(true);
  return parts_from_json(to_tokenizer_json(vocabulary).tokenizer_json, joined(files, config_of(vocabulary)),
                         origin);
}

}  // namespace

std::vector<fs::path> vocabulary_files(const fs::path& folder) {
  for (const char* name : {"tokenizer.json", "tekken.json", "tokenizer.model", "tiktoken.model"})
    if (fs::exists(folder / name)) return {folder / name};
  static const std::regex others(R"(.*\.tiktoken|tokenizer\.model\.v\w+|tekken.*\.json)");
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (std::regex_match(entry.path().filename().string(), others)) found.push_back(entry.path());
  return found;
}

fs::path find_vocabulary_file(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  const std::vector<fs::path> found = vocabulary_files(path);
  if (found.empty())
    fail("tokenizer",
         "{} has no tokenizer.json; needed the folder of a Hugging Face model with one (or with "
         "tokenizer.model, "
         "tekken.json or a .tiktoken file), or such a file",
         path.string());
  if (found.size() > 1)
    fail("tokenizer", "{} has {} and {}; name the one that is meant", path.string(),
         found[0].filename().string(), found[1].filename().string());
  return found.front();
}

TokenizerParts read_vocabulary_file(const fs::path& file) {
  const std::string content = read_file(file);
  const std::string origin = file.string();
  TokenizerConfig config = read_tokenizer_config(file.parent_path());
  if (is_sentencepiece(content)) return sentencepiece_parts(content, config, origin);
  TokenizerParts parts;
  if (is_tiktoken(content)) {
    parts =
        parts_from_ranks(read_tiktoken(content, origin), tiktoken_model(content, origin), content, origin);
  } else if (file.filename().string().find("tekken") != std::string::npos) {
    const Json json = parse_json(content, origin);
    if (!is_tekken(json))
      fail("tokenizer", "{} has no \"config\" with a \"pattern\" or no list \"vocab\"", origin);
    parts = read_tekken(json, content, origin);
  } else {
    return parts_from_json(content, std::move(config), origin);
  }
  parts.config = joined(std::move(config), parts.config);
  return parts;
}

}  // namespace mindspeed::tokenization
