#include "front/tokenizer/load/tiktoken.h"

#include <openssl/evp.h>

#include <charconv>

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/tokenizer/model/bpe.h"
#include "front/tokenizer/tokenizer_data.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed {
namespace {

using tokenization::BpeMerge;

void put(TokenizerParts& parts, const std::string& text, int32_t id, std::string_view origin) {
  const auto index = static_cast<size_t>(id);
  if (index >= parts.tokens.size()) parts.tokens.resize(index + 1);
  if (parts.tokens[index]) fail("tokenizer", "{}: id {} stands twice", origin, id);
  parts.tokens[index] = text;
}

// tiktoken joins the neighbours whose joined text has the lowest rank: every way to cut a token in two is a
// merge.
std::vector<BpeMerge> all_merges(const TiktokenRanks& ranks, std::string_view origin) {
  std::unordered_map<std::string_view, int32_t> ids;
  ids.reserve(ranks.size());
  for (const auto& [text, rank] : ranks) ids.emplace(text, rank);
  for (int b = 0; b < 256; ++b)
    if (const char byte = static_cast<char>(b); !ids.contains(std::string_view(&byte, 1)))
      fail("tokenizer", "{}: no token for the single byte 0x{:02x}", origin, b);
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

TiktokenRanks read_tiktoken(std::string_view content, std::string_view origin) {
  TiktokenRanks ranks;
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
    if (!bytes || rank < 0 || rank >= kMaxTokens)
      fail("tokenizer", "{}:{}: \"{}\" is no line of a tiktoken file; needed BASE64 and a rank", origin, line,
           text);
    ranks.emplace_back(std::move(*bytes), rank);
  }
  return ranks;
}

bool is_tiktoken(std::string_view content) {
  const std::string_view line = content.substr(0, content.find('\n'));
  const size_t space = line.find(' ');
  return space != std::string_view::npos && from_base64(line.substr(0, space)).has_value();
}

TokenizerParts parts_from_ranks(TiktokenRanks ranks, const TiktokenSpec& spec, std::string_view content,
                                std::string_view origin) {
  TokenizerParts parts;
  std::string settings = spec.pattern + (spec.nfc ? "nfc" : "");
  for (const auto& [text, rank] : ranks) put(parts, text, rank, origin);
  for (const auto& [text, id] : spec.special_tokens) {
    put(parts, text, id, origin);
    parts.added.push_back({.id = id, .content = text, .special = true});
    settings += text + '\0';
  }
  const auto merges = all_merges(ranks, origin);
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
  if (spec.add_bos) parts.config.add_bos = true;
  parts.fingerprint = sha256_hex(std::string(content) + settings);
  return parts;
}

}  // namespace mindspeed
