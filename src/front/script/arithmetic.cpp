#include "front/script/arithmetic.h"

#include <cctype>
#include <charconv>

namespace mindspeed {
namespace {

constexpr int kDeepest = 100;  // nested brackets and variables

class Arithmetic {
 public:
  Arithmetic(std::string_view text, const std::function<std::string(const std::string&)>& value_of, int depth)
      : text_(text), value_of_(value_of), depth_(depth) {}

  std::optional<int64_t> whole() {
    const std::optional<int64_t> value = sum();
    skip();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::optional<int64_t> sum() {
    std::optional<int64_t> left = product();
    while (left && (peek() == '+' || peek() == '-')) {
      const char op = text_[at_++];
      const std::optional<int64_t> right = product();
      int64_t result = 0;
      const bool failed = !right || (op == '+' ? __builtin_add_overflow(*left, *right, &result)
                                               : __builtin_sub_overflow(*left, *right, &result));
      left = failed ? std::nullopt : std::optional(result);
    }
    return left;
  }

  std::optional<int64_t> product() {
    std::optional<int64_t> left = atom();
    while (left && (peek() == '*' || peek() == '/' || peek() == '%')) {
      const char op = text_[at_++];
      const std::optional<int64_t> right = atom();
      int64_t result = 0;
      if (!right || (op != '*' && (*right == 0 || *right == -1))) return std::nullopt;
      if (op == '*' && __builtin_mul_overflow(*left, *right, &result)) return std::nullopt;
      left = op == '*' ? result : op == '/' ? *left / *right : *left % *right;
    }
    return left;
  }

  std::optional<int64_t> atom() {
    if (++depth_ > kDeepest) return std::nullopt;
    std::optional<int64_t> value;
    const char c = peek();
    if (c == '(') {
      ++at_;
      value = sum();
      if (peek() != ')') return std::nullopt;
      ++at_;
    } else if (c == '-') {
      ++at_;
      value = atom();
      if (value) value = -*value;
    } else {
      value = number_or_variable();
    }
    --depth_;
    return value;
  }

  std::optional<int64_t> number_or_variable() {
    bool braces = false;
    if (peek() == '$') {
      ++at_;
      braces = at_ < text_.size() && text_[at_] == '{';
      at_ += braces ? 1 : 0;
    }
    size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    if (braces && (at_ >= text_.size() || text_[at_++] != '}')) return std::nullopt;
    if (word.empty()) return std::nullopt;
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && stop == word.data() + word.size()) return value;
    return Arithmetic(value_of_(word), value_of_, depth_).whole();
  }

  const std::string text_;
  const std::function<std::string(const std::string&)>& value_of_;
  int depth_;
  size_t at_ = 0;
};

}  // namespace

std::optional<int64_t> shell_arithmetic(std::string_view text,
                                        const std::function<std::string(const std::string&)>& value_of) {
  return Arithmetic(text, value_of, 0).whole();
}

}  // namespace mindspeed
