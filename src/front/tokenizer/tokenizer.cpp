#include "front/tokenizer/tokenizer.h"

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/tokenizer/gguf_vocabulary.h"
#include "front/tokenizer/load/vocabulary_file.h"
#include "front/tokenizer/tokenizer_data.h"

namespace mindspeed {

using tokenization::AddedSegment;
using tokenization::AddedTokenFilter;
using tokenization::AddedTokenMatcher;
using tokenization::Piece;

namespace {

void find_added(const std::optional<AddedTokenMatcher>& matcher, std::string_view text,
                AddedTokenFilter filter, std::vector<AddedSegment>& out) {
  out.clear();
  if (matcher)
    matcher->split(text, filter, out);
  else if (!text.empty())
    out.push_back({0, text.size(), nullptr});
}

// Text without added tokens -> words -> ids.
void encode_plain(const TokenizerData& data, Piece piece, EncodeScratch::Buffers& buffers,
                  std::vector<int32_t>& ids) {
  buffers.pieces.clear();
  buffers.split.texts.clear();
  if (data.splitter)
    data.splitter->split(piece, buffers.split, buffers.pieces);
  else
    buffers.pieces.push_back(piece);
  for (const Piece& word : buffers.pieces)
    buffers.dropped += data.model->encode_word(word.text, buffers.word, ids);
}

// `text` is valid UTF-8.
void encode_text(const TokenizerData& data, std::string_view text, bool at_start, AddedTokenFilter filter,
                 EncodeScratch::Buffers& buffers, std::vector<int32_t>& ids) {
  find_added(data.raw_matcher, text, filter, buffers.raw_segments);
  for (const AddedSegment& raw : buffers.raw_segments) {
    if (raw.token != nullptr) {
      ids.push_back(raw.token->id);
      continue;
    }
    std::string_view part = text.substr(raw.begin, raw.end - raw.begin);
    std::string normalized;
    if (data.normalizer) part = normalized = data.normalizer(part);
    find_added(data.normalized_matcher, part, filter, buffers.segments);
    for (const AddedSegment& segment : buffers.segments) {
      if (segment.token != nullptr)
        ids.push_back(segment.token->id);
      else
        encode_plain(data,
                     {part.substr(segment.begin, segment.end - segment.begin),
                      at_start && raw.begin == 0 && segment.begin == 0},
                     buffers, ids);
    }
  }
}

}  // namespace

EncodeScratch::EncodeScratch() : buffers_(std::make_unique<Buffers>()) {}
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;
EncodeScratch::~EncodeScratch() = default;
uint64_t EncodeScratch::dropped() const { return buffers_->dropped; }

Tokenizer::Tokenizer(TokenizerParts parts) : data_(std::make_shared<const TokenizerData>(std::move(parts))) {}

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  if (path.extension() == ".gguf")
    throw std::logic_error(
        "Tokenizer::load: a GGUF file is read by formats and given to Tokenizer::from_gguf");
  return Tokenizer(tokenization::read_vocabulary_file(tokenization::find_vocabulary_file(path)));
}

bool Tokenizer::found_in(const std::filesystem::path& folder) {
  return !tokenization::vocabulary_files(folder).empty();
}

Tokenizer Tokenizer::from_gguf(const GgufVocabulary& vocabulary) {
  const TokenizerFiles files = to_tokenizer_json(vocabulary);
  return Tokenizer(
      parts_from_json(files.tokenizer_json, config_of(vocabulary), "the vocabulary of a GGUF file"));
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, EncodeOptions options,
                                       EncodeScratch* scratch) const {
  std::optional<EncodeScratch> own;
  if (scratch == nullptr) scratch = &own.emplace();
  EncodeScratch::Buffers& buffers = scratch->buffers();
  const AddedTokenFilter filter{options.parse_special, options.parse_added};
  std::vector<int32_t> ids;
  if (options.add_special_tokens) ids = data_->post.before;
  for (size_t at = 0; at < text.size();) {
    const Utf8Check check = check_utf8(text.substr(at));
    if (check.offset > 0) encode_text(*data_, text.substr(at, check.offset), at == 0, filter, buffers, ids);
    at += check.offset;
    if (check.valid) break;
    if (!data_->by_bytes)
      fail("tokenizer",
           "the text is not UTF-8 at byte {} (0x{:02x}), and this vocabulary has no tokens for single bytes",
           at, static_cast<unsigned char>(text[at]));
    buffers.dropped += data_->model->encode_word(text.substr(at, 1), buffers.word, ids);
    ++at;
  }
  if (options.add_special_tokens) ids.insert(ids.end(), data_->post.after.begin(), data_->post.after.end());
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skip_special) const {
  StreamDecoder stream(*this, skip_special);
  std::string text;
  for (const int32_t id : ids) stream.append(id, text);
  return text;
}

std::optional<std::string_view> Tokenizer::token(int32_t id) const {
  if (id < 0 || id >= vocab_size() || !data_->tokens[static_cast<size_t>(id)]) return std::nullopt;
  return *data_->tokens[static_cast<size_t>(id)];
}

std::optional<int32_t> Tokenizer::id(std::string_view token) const {
  const auto it = data_->ids.find(token);
  if (it == data_->ids.end()) return std::nullopt;
  return it->second;
}

bool Tokenizer::is_special(int32_t id) const {
  return id >= 0 && id < vocab_size() && data_->special[static_cast<size_t>(id)];
}

int32_t Tokenizer::vocab_size() const { return static_cast<int32_t>(data_->tokens.size()); }
std::optional<int32_t> Tokenizer::bos() const { return data_->bos; }
std::optional<int32_t> Tokenizer::eos() const { return data_->eos; }
std::optional<int32_t> Tokenizer::pad() const { return data_->pad; }
std::optional<int32_t> Tokenizer::unk() const { return data_->unk; }
const std::vector<AddedToken>& Tokenizer::added_tokens() const { return data_->added; }
const std::map<std::string, std::string>& Tokenizer::chat_templates() const {
  return data_->config.chat_templates;
}
const std::string& Tokenizer::fingerprint() const { return data_->fingerprint; }

}  // namespace mindspeed
