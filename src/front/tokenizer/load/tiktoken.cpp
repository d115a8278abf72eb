#include "front/tokenizer/load/tiktoken.h"

#include <openssl/evp.h>

#include <charconv>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed {
namespace {

using tokenization::BpeMerge;

constexpr int32_t kMaxRank = 1 << 24;  // a bigger one is a damaged file

std::optional<std::string> from_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int n =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (n < 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<size_t>(n) - padding);
  return bytes;
}

std::vector<std::pair<std::string, int32_t>> read_ranks(std::string_view content, const std::string& path) {
  std::vector<std::pair<std::string, int32_t>> ranks;
  for (size_t line = 1; !content.empty(); ++line) {
    const size_t end = std::min(content.find('\n'), content.size());
    std::string_view text = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) continue;
    const size_t space = text.find(' ');
    int32_t rank = -1;
    std::optional<std::string> bytes;
    if (space != std::string_view::npos) {
      bytes = from_base64(text.substr(0, space));
      const auto [rest, error] = std::from_chars(text.data() + space + 1, text.data() + text.size(), rank);
      if (error != std::errc() || rest != text.data() + text.size()) rank = -1;
    }
    if (!bytes || rank < 0 || rank >= kMaxRank)
      fail("tokenizer", "{}:{}: \"{}\" is no line of a tiktoken file; needed BASE64 and a rank", path, line,
           text);
    ranks.emplace_back(std::move(*bytes), rank);
  }
  return ranks;
}

void put(TokenizerParts& parts, const std::string& text, int32_t id, const std::string& path) {
  const auto index = static_cast<size_t>(id);
  if (index >= parts.tokens.size()) parts.tokens.resize(index + 1);
  if (parts.tokens[index]) fail("tokenizer", "{}: id {} stands twice", path, id);
  parts.tokens[index] = text;
}

// tiktoken joins the neighbours whose joined text has the lowest rank: every way to cut a token in two is a
// merge.
std::vector<BpeMerge> all_merges(const std::vector<std::pair<std::string, int32_t>>& ranks,
                                 const std::string& path) {
  std::unordered_map<std::string_view, int32_t> ids;
  ids.reserve(ranks.size());
  for (const auto& [text, rank] : ranks) ids.emplace(text, rank);
  for (int b = 0; b < 256; ++b)
    if (const char byte = static_cast<char>(b); !ids.contains(std::string_view(&byte, 1)))
      fail("tokenizer", "{}: no token for the single byte 0x{:02x}", path, b);
  std::vector<BpeMerge> merges;
  for (const auto& [text, rank] : ranks) {
    const std::string_view whole = text;
    for (size_t cut = 1; cut < whole.size(); ++cut) {
      const auto left = ids.find(whole.substr(0, cut));
      const auto right = ids.find(whole.substr(cut));
      if (left != ids.end() && right != ids.end())
        merges.push_back({left->second, right->second, rank, static_cast<uint32_t>(rank)});
    }
  }
  return merges;
}

}  // namespace

std::string tiktoken_pattern(const std::string& digits) {
  return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)" + digits +
         R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

std::string tiktoken_o200k_pattern() {
  const std::string before = R"([^\r\n\p{L}\p{N}]?)", ending = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)";
  const std::string capitals = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])", small = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
  return before + capitals + "*" + small + "+" + ending + before + capitals + "+" + small + "*" + ending +
         R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

Tokenizer load_tiktoken(const fs::path& path, const TiktokenSpec& spec) {
  const std::string content = read_file(path);
  auto ranks = read_ranks(content, path.string());
  TokenizerParts parts;
  std::string settings = spec.pattern + (spec.nfc ? "nfc" : "");
  for (const auto& [text, rank] : ranks) put(parts, text, rank, path.string());
  for (const auto& [text, id] : spec.special_tokens) {
    put(parts, text, id, path.string());
    parts.added.push_back({.id = id, .content = text, .special = true});
    settings += text + '\0';
  }
  const auto merges = all_merges(ranks, path.string());
  tokenization::BpeOptions options;
  options.by_bytes = true;
  options.ignore_merges = true;
  parts.model = std::make_unique<tokenization::Bpe>(std::move(ranks), merges, options);
  parts.by_bytes = true;
  parts.splitter = tokenization::make_tiktoken_splitter(spec.pattern);
  if (spec.nfc)
    parts.normalizer = [](std::string_view text) {
      return tokenization::normal_form(text, tokenization::UnicodeForm::nfc);
    };
  parts.decoder = tokenization::Decoder::raw();
  parts.config.bos = spec.bos;
  parts.config.eos = spec.eos;
  parts.config.pad = spec.pad;
  parts.fingerprint = sha256_hex(content + settings);
  return Tokenizer(std::move(parts));
}

}  // namespace mindspeed
