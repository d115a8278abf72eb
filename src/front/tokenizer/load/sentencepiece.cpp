#include "front/tokenizer/load/sentencepiece.h"

#include <cstring>
#include <optional>

#include "front/base/error.h"

namespace mindspeed::tokenization {
namespace {

// One field of a message: its number and either a number or bytes.
struct Field {
  uint32_t number = 0;
  uint64_t value = 0;      // varint, or the bits of a fixed one
  std::string_view bytes;  // length-delimited
};

// Walks over the fields of a message.
class Message {
 public:
  Message(std::string_view bytes, std::string_view origin) : rest_(bytes), origin_(origin) {}

  std::optional<Field> next() {
    if (rest_.empty()) return std::nullopt;
    const uint64_t key = varint();
    Field field;
    field.number = static_cast<uint32_t>(key >> 3);
    switch (key & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.value = fixed<uint64_t>();
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.value = fixed<uint32_t>();
        break;
      default:
        broken();
    }
    return field;
  }

 private:
  [[noreturn]] void broken() const {
    fail("tokenizer", "{} is no SentencePiece model, or is cut off", origin_);
  }
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) broken();
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  template <typename T>
  T fixed() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    broken();
  }

  std::string_view rest_;
  std::string_view origin_;
};

void read_piece(std::string_view bytes, std::string_view origin, GgufVocabulary& v) {
  std::string text;
  float score = 0;
  int32_t type = 1;
  Message message(bytes, origin);
  while (const auto field = message.next()) {
    if (field->number == 1) text = field->bytes;
    if (field->number == 2) {
      const auto bits = static_cast<uint32_t>(field->value);
      std::memcpy(&score, &bits, sizeof(score));
    }
    if (field->number == 3) type = static_cast<int32_t>(field->value);
  }
  v.tokens.push_back(std::move(text));
  v.scores.push_back(score);
  v.token_types.push_back(type);
}

// Which id a role has; negative means none.
std::optional<int32_t> role(uint64_t value) {
  const auto id = static_cast<int32_t>(value);
  return id < 0 ? std::nullopt : std::optional(id);
}

void read_trainer(std::string_view bytes, std::string_view origin, GgufVocabulary& v) {
  constexpr const char* kModels[] = {"?", "UNIGRAM", "BPE", "WORD", "CHAR"};
  uint64_t model = 1;
  bool byte_fallback = false;
  Message message(bytes, origin);
  while (const auto field = message.next()) {
    switch (field->number) {
      case 3:
        model = field->value;
        break;
      case 24:
        if (field->value != 0)
          refuse("tokenizer",
                 "{} puts spaces at the end of words (treat_whitespace_as_suffix), which is not supported",
                 origin);
        break;
      case 35:
        byte_fallback = field->value != 0;
        break;
      case 40:
        v.unk = role(field->value);
        break;
      case 41:
        v.bos = role(field->value);
        break;
      case 42:
        v.eos = role(field->value);
        break;
      case 43:
        v.pad = role(field->value);
        break;
      default:
        break;  // how it was trained
    }
  }
  if (model != 2)
    refuse(
        "tokenizer",
        "{} is a SentencePiece model of kind {}; only BPE is supported; use the tokenizer.json of the model",
        origin, model < 5 ? kModels[model] : "?");
  v.byte_fallback = byte_fallback;
}

void read_normalizer(std::string_view bytes, std::string_view origin, GgufVocabulary& v) {
  v.remove_extra_whitespaces = true;
  Message message(bytes, origin);
  while (const auto field = message.next()) {
    if (field->number == 2) v.has_charsmap = !field->bytes.empty();
    if (field->number == 3) v.add_space_prefix = field->value != 0;
    if (field->number == 4) v.remove_extra_whitespaces = field->value != 0;
    if (field->number == 5 && field->value == 0)
      refuse("tokenizer", "{} keeps spaces as they are (escape_whitespaces false), which is not supported",
             origin);
  }
}

}  // namespace

bool is_sentencepiece(std::string_view content) {
  // Field 1 (a piece) of some length, which begins with field 1 (its text).
  return content.size() > 3 && content[0] == '\x0a' && content[2] == '\x0a';
}

GgufVocabulary read_sentencepiece(std::string_view content, std::string_view origin) {
  GgufVocabulary v;
  v.model = "llama";
  v.unk = 0;
  v.bos = 1;
  v.eos = 2;
  v.byte_fallback = false;
  bool trained = false;
  Message message(content, origin);
  while (const auto field = message.next()) {
    if (field->number == 1) read_piece(field->bytes, origin, v);
    if (field->number == 2) read_trainer(field->bytes, origin, v);
    if (field->number == 3) read_normalizer(field->bytes, origin, v);
    trained = trained || field->number == 2;
  }
  if (v.tokens.empty()) fail("tokenizer", "{} holds no pieces", origin);
  if (!trained)
    refuse("tokenizer", "{} does not say what kind of model it is (no trainer_spec); needed BPE", origin);
  return v;
}

}  // namespace mindspeed::tokenization
