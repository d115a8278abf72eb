// Rewrites what Oniguruma (Ruby syntax) and Rust's regex mean differently from PCRE2, and refuses what cannot
// be rewritten. The differences: PCRE2's \s holds U+180E; its \w lacks marks; a script name means the
// script's extensions; "[" inside a class is a plain character there, a nested class elsewhere.
#include <cctype>
#include <set>

#include "front/base/error.h"
#include "front/tokenizer/unicode/regex.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kSpace = R"(\t-\r\x{85}\p{Z})";
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view kJoinControl = R"(\x{200C}\x{200D})";  // word characters in Rust only

bool is_general_category(std::string_view name) {
  static const std::set<std::string_view> names{"L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",  "Mc", "Me",
                                                "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Pe",
                                                "Pf", "Pi", "Po", "Ps", "S",  "Sc", "Sk", "Sm", "So",
                                                "Z",  "Zl", "Zp", "Zs", "C",  "Cc", "Cf", "Cn", "Co"};
  return names.contains(name);
}

class Translator {
 public:
  Translator(std::string_view pattern, RegexDialect dialect) : pattern_(pattern), dialect_(dialect) {}

  std::string run() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\') {
        escape();
      } else if (c == '[') {
        if (in_class_) unsupported("a class inside a class");
        open_class();
      } else {
        if (c == ']') in_class_ = false;
        if (in_class_ && pattern_.substr(at_, 2) == "&&") unsupported("an intersection of classes");
        // Ruby reads {n,m}+ as a repeated repetition, not as a possessive one.
        if (!in_class_ && c == '}' && dialect_ == RegexDialect::oniguruma && pattern_.substr(at_, 2) == "}+")
          unsupported("}+");
        out_ += c;
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void unsupported(std::string_view what) const {
    fail("tokenizer", "the regular expression {} uses {} at byte {}, which is not supported", pattern_, what,
         at_);
  }

  void open_class() {
    in_class_ = true;
    out_ += '[';
    if (++at_ < pattern_.size() && pattern_[at_] == '^') {
      out_ += '^';
      ++at_;
    }
    if (at_ < pattern_.size() && pattern_[at_] == ']') unsupported("an empty class");
  }

  void set_of(std::string_view members, bool negated) {
    if (negated && in_class_) unsupported("a negated class inside a class");
    if (!in_class_) out_ += negated ? "[^" : "[";
    out_ += members;
    if (!in_class_) out_ += ']';
    at_ += 2;
  }

  void property() {
    const size_t close = pattern_.find('}', at_);
    if (at_ + 2 >= pattern_.size()) unsupported("an unfinished escape");
    if (pattern_[at_ + 2] != '{') {  // \pL
      out_ += pattern_.substr(at_, 3);
      at_ += 3;
      return;
    }
    if (close == std::string_view::npos) unsupported("an unfinished property");
    std::string_view name = pattern_.substr(at_ + 3, close - at_ - 3);
    out_ += pattern_.substr(at_, 3);
    if (name.starts_with('^')) {
      out_ += '^';
      name.remove_prefix(1);
    }
    if (!is_general_category(name)) out_ += "sc:";
    out_ += name;
    out_ += '}';
    at_ = close + 1;
  }

  void escape() {
    if (at_ + 1 >= pattern_.size()) unsupported("an unfinished escape");
    const char c = pattern_[at_ + 1];
    const std::string word =
        std::string(kWord) + std::string(dialect_ == RegexDialect::rust ? kJoinControl : std::string_view{});
    switch (c) {
      case 's':
      case 'S':
        return set_of(kSpace, c == 'S');
      case 'w':
      case 'W':
        return set_of(word, c == 'W');
      case 'd':
      case 'D':
        return set_of(R"(\p{Nd})", c == 'D');
      case 'p':
      case 'P':
        return property();
      case 'u':
        if (at_ + 6 > pattern_.size()) unsupported("an unfinished escape");
        out_ += "\\x{" + std::string(pattern_.substr(at_ + 2, 4)) + "}";
        at_ += 6;
        return;
      default:
        break;
    }
    // Letters that are safe: control characters, \x, anchors at the ends. Others differ (\h is a digit in
    // Ruby).
    constexpr std::string_view same = "tnrfvaexAz";
    if (std::isalnum(static_cast<unsigned char>(c)) && same.find(c) == std::string_view::npos)
      unsupported(std::string("\\") + c);
    out_ += pattern_.substr(at_, 2);
    // PCRE2 reads \v as a class of vertical spaces.
    if (c == 'v') out_.replace(out_.size() - 2, 2, "\\x0b");
    at_ += 2;
  }

  std::string_view pattern_;
  RegexDialect dialect_;
  size_t at_ = 0;
  bool in_class_ = false;
  std::string out_;
};

}  // namespace

std::string translate_pattern(std::string_view pattern, RegexDialect dialect) {
  return Translator(pattern, dialect).run();
}

}  // namespace mindspeed::tokenization
