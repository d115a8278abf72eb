#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

using Json = nlohmann::json;

// Receives parser events and keeps the wanted strings of the outermost object.
class FieldCollector : public nlohmann::json_sax<Json> {
 public:
  FieldCollector(const std::vector<std::string>& keys, std::vector<std::string>& fields)
      : keys_(keys), fields_(fields), kinds_(keys.size(), "") {
    fields_.assign(keys.size(), {});
  }

  bool null() override { return other("null"); }
  bool boolean(bool) override { return other("a boolean"); }
  bool number_integer(number_integer_t) override { return other("a number"); }
  bool number_unsigned(number_unsigned_t) override { return other("a number"); }
  bool number_float(number_float_t, const string_t&) override { return other("a number"); }
  bool binary(binary_t&) override { return other("binary data"); }
  bool string(string_t& value) override {
    if (depth_ == 1 && current_ < keys_.size()) fields_[current_] = std::move(value);
    return other("a string");
  }
  bool start_object(size_t) override { return open("an object"); }
  bool start_array(size_t) override { return open("an array"); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (depth_ == 1)
      current_ = static_cast<size_t>(std::find(keys_.begin(), keys_.end(), name) - keys_.begin());
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    error_byte_ = position;
    message_ = error.what();
    return false;
  }

  bool is_object() const { return is_object_; }
  const char* kind(size_t key) const { return kinds_[key]; }
  size_t error_byte() const { return error_byte_; }
  // The parser's message without its own prefix and position.
  std::string message() const {
    const size_t colon = message_.find(": ");
    return colon == std::string::npos ? message_ : message_.substr(colon + 2);
  }

 private:
  bool other(const char* kind) {
    if (depth_ == 1 && current_ < keys_.size()) kinds_[current_] = kind;
    return true;
  }
  bool open(const char* kind) {
    if (depth_ == 0) is_object_ = std::string_view(kind) == "an object";
    other(kind);
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  const std::vector<std::string>& keys_;
  std::vector<std::string>& fields_;
  std::vector<const char*> kinds_;  // what each key held; "" = absent
  size_t current_ = static_cast<size_t>(-1);
  int depth_ = 0;
  bool is_object_ = false;
  size_t error_byte_ = 0;
  std::string message_;
};

}  // namespace

std::optional<Fault> decode_json_object(const RawRecord& record, const std::vector<std::string>& keys,
                                        std::vector<std::string>& fields) {
  if (auto fault = check_text(record.text, record.position)) return fault;
  FieldCollector collector(keys, fields);
  if (!Json::sax_parse(record.text, &collector)) {
    const size_t byte = collector.error_byte() > 0 ? collector.error_byte() - 1 : 0;
    const bool at_end = record.cut && byte >= record.text.size();
    const TextPosition at{record.position.line, record.position.byte + byte};
    return Fault{at_end ? FaultReason::truncated : FaultReason::bad_syntax, at, collector.message()};
  }
  if (!collector.is_object())
    return Fault{FaultReason::wrong_type, record.position, "the record is no JSON object"};
  for (size_t k = 0; k < keys.size(); ++k) {
    const std::string_view kind = collector.kind(k);
    if (kind.empty())
      return Fault{FaultReason::missing_key, record.position, fmt::format("no key \"{}\"", keys[k])};
    if (kind != "a string")
      return Fault{FaultReason::wrong_type, record.position,
                   fmt::format("\"{}\" holds {}; a string is needed", keys[k], kind)};
  }
  return std::nullopt;
}

}  // namespace mindspeed
