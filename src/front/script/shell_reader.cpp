#include "front/script/shell_reader.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/script/arithmetic.h"

namespace mindspeed {
namespace {

using Words = std::vector<std::string>;

constexpr char kOpenBrace = '{', kCloseBrace = '}';

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A word while it is read: expansions may make several of it, or none.
struct Growing {
  Words done;
  std::string current;
  bool exists = false;  // "" is a word too

  void add(std::string_view text) {
    current += text;
    exists = true;
  }
  void cut() {
    if (exists) done.push_back(std::exchange(current, {}));
    exists = false;
  }
  // Unquoted values are split at blanks.
  void add_split(std::string_view text) {
    for (const char c : text) {
      if (is_blank(c) || c == '\n')
        cut();
      else
        add({&c, 1});
    }
  }
};

class ShellReader {
 public:
  ShellReader(std::string_view text, const std::string& file, const std::map<std::string, std::string>& given)
      : text_(text), file_(file) {
    for (const auto& [name, value] : given) script_.variables[name] = {value};
  }

  ShellScript read() {
    while (at_ < text_.size()) statement();
    return std::move(script_);
  }

 private:
  [[noreturn]] void stop(int line, const std::string& what) const {
    refuse("import-script",
           "{}:{}: {}; write the launch command out in the script, or give its flags to mindspeed itself",
           file_, line, what);
  }
  int line() const {
    return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n'));
  }
  bool has(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(here()))
        ++at_;
      else if (has("\\\n"))
        at_ += 2;
      else if (has("\\\r\n"))
        at_ += 3;
      else
        break;
    }
    if (here() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }

  // One command up to the end of its line, `;`, `&&`, `||`, `&` or a pipe.
  void statement() {
    skip_blanks();
    ShellCommand command{line(), {}};
    bool piped = false, plain = true;  // plain: only assignments so far
    while (at_ < text_.size()) {
      skip_blanks();
      const char c = here();
      if (c == '\0' || c == '\n' || c == ';') {
        ++at_;
        break;
      }
      if (has("&>") || c == '>' || c == '<') {
        redirection();
      } else if (c == '&' || c == '|') {
        const bool twice = has("&&") || has("||");
        at_ += twice ? 2 : 1;
        if (c == '&' || twice) break;
        piped = true;
      } else if (c == '(' || c == ')') {
        stop(line(), "a subshell or function cannot be followed without running it");
      } else if (plain && assignment()) {
      } else {
        const Words words = word();
        if (!piped) command.words.insert(command.words.end(), words.begin(), words.end());
        plain = plain && words.size() == 1 &&
                (words[0] == "export" || words[0] == "local" || words[0] == "declare");
      }
    }
    if (command.words.empty()) return;
    static const std::set<std::string_view> control{"if",    "then",  "else", "elif", "fi",   "for",
                                                    "while", "until", "do",   "done", "case", "function",
                                                    "{",     "}",     "[[",   "[",    "((",   "select"};
    if (control.contains(command.words[0]))
      stop(command.line, fmt::format("'{}' cannot be followed without running it", command.words[0]));
    script_.commands.push_back(std::move(command));
  }

  // NAME=value, NAME+=value or NAME=(a b c) at this place; false if none is here.
  bool assignment() {
    size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_ || std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return false;
    const std::string name(text_.substr(at_, end - at_));
    const bool append = text_.substr(end).starts_with("+=");
    if (!append && (end >= text_.size() || text_[end] != '=')) return false;
    at_ = end + (append ? 2 : 1);
    Words value;
    if (here() == '(') {
      value = array();
    } else {
      Growing grown;
      pieces(grown, /*split=*/false);
      value = {grown.current};
    }
    Words& variable = script_.variables[name];
    if (append && value.size() == 1 && variable.size() == 1 && text_[at_ - 1] != ')')
      variable[0] += value[0];
    else if (append)
      variable.insert(variable.end(), value.begin(), value.end());
    else
      variable = value;
    return true;
  }

  Words array() {
    const int begin = line();
    ++at_;
    Words words;
    while (true) {
      skip_blanks();
      if (at_ >= text_.size()) stop(begin, "the bracket ( is never closed");
      if (here() == ')') break;
      if (here() == '\n') {
        ++at_;
        continue;
      }
      const Words more = word();
      words.insert(words.end(), more.begin(), more.end());
    }
    ++at_;
    return words;
  }

  Words word() {
    Growing grown;
    const size_t before = at_;
    pieces(grown, /*split=*/true);
    if (at_ == before) stop(line(), fmt::format("'{}' cannot be followed", here()));
    // A number in front of a redirection is no word: 2>&1.
    const bool number = grown.exists && std::all_of(grown.current.begin(), grown.current.end(), ::isdigit);
    if (number && (here() == '>' || here() == '<')) return grown.done;
    grown.cut();
    return grown.done;
  }

  // Everything up to the next blank or operator.
  void pieces(Growing& grown, bool split) {
    while (at_ < text_.size()) {
      const char c = here();
      if (is_blank(c) || std::string_view("\n;&|<>()").find(c) != std::string_view::npos) return;
      if (c == '\\') {
        if (has("\\\n") || has("\\\r\n")) return;
        grown.add(text_.substr(at_ + 1, 1));
        at_ += 2;
      } else if (c == '\'') {
        const size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) stop(line(), "the quote ' is never closed");
        grown.add(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
      } else if (c == '"') {
        quoted(grown);
      } else if (c == '$' || c == '`') {
        expansion(grown, split);
      } else {
        grown.add({&c, 1});
        ++at_;
      }
    }
  }

  void quoted(Growing& grown) {
    const int begin = line();
    ++at_;
    if (!has("$@\"")) grown.add("");
    while (here() != '"') {
      if (at_ >= text_.size()) stop(begin, "the quote \" is never closed");
      const char c = here();
      if (c == '\\' && at_ + 1 < text_.size() &&
          std::string_view("\"\\$`\n").find(text_[at_ + 1]) != std::string_view::npos) {
        if (text_[at_ + 1] != '\n') grown.add(text_.substr(at_ + 1, 1));
        at_ += 2;
      } else if (c == '$' || c == '`') {
        expansion(grown, /*split=*/false);
      } else {
        grown.add({&c, 1});
        ++at_;
      }
    }
    ++at_;
  }

  // The text from here to the bracket or quote that closes what opens here, as it is written.
  std::string_view balanced(char open, char close) {
    const size_t begin = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (here() == open && open != close) ++depth;
      if (here() == close && at_ > begin && (open == close || --depth == 0))
        return text_.substr(begin, ++at_ - begin);
    }
    at_ = begin;
    stop(line(), fmt::format("'{}' is never closed", open));
  }

  void expansion(Growing& grown, bool split) {
    const auto give = [&](const std::string& value) { split ? grown.add_split(value) : grown.add(value); };
    if (here() == '`') return grown.add(balanced('`', '`'));
    ++at_;
    if (has("((")) {
      const int begin = line();
      const std::string_view inner = balanced('(', ')');
      const auto value = shell_arithmetic(inner.substr(1, inner.size() - 2), [this](const std::string& name) {
        const auto found = script_.variables.find(name);
        return found == script_.variables.end() || found->second.empty() ? std::string("0")
                                                                         : found->second[0];
      });
      if (!value) stop(begin, fmt::format("${} cannot be computed", inner));
      return give(std::to_string(*value));
    }
    if (here() == '(') return grown.add("$" + std::string(balanced('(', ')')));
    if (here() == '@' || here() == '*') {  // the arguments of the script: none
      ++at_;
      return;
    }
    if (here() == kOpenBrace) return braces(grown, split);
    size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_) return grown.add("$");
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    const auto found = script_.variables.find(name);
    if (found == script_.variables.end()) return grown.add("${" + name + "}");
    if (!found->second.empty()) give(found->second[0]);
  }

  // ${NAME}, ${NAME[@]}, ${NAME:-default}, ${NAME-default}, ${NAME:=default}
  void braces(Growing& grown, bool split) {
    const int begin = line();
    const std::string_view whole = balanced('{', '}');
    std::string_view inner = whole.substr(1, whole.size() - 2);
    size_t end = 0;
    while (end < inner.size() && is_name(inner[end])) ++end;
    const std::string name(inner.substr(0, end));
    std::string_view rest = inner.substr(end);
    const bool all = rest == "[@]" || rest == "[*]";
    if (all) rest = {};
    const bool with_default = rest.starts_with(":-") || rest.starts_with(":=") || rest.starts_with("-");
    if (name.empty() || (!rest.empty() && !with_default))
      stop(begin, fmt::format("${} cannot be followed", whole));
    const auto found = script_.variables.find(name);
    Words value = found == script_.variables.end() ? Words{} : found->second;
    const bool empty = value.empty() || (value.size() == 1 && value[0].empty());
    if (with_default && empty) {
      ShellReader nested(rest.substr(rest[0] == ':' ? 2 : 1), file_, {});
      nested.script_.variables = script_.variables;
      Growing inside;
      while (nested.at_ < nested.text_.size()) {
        nested.pieces(inside, /*split=*/false);
        if (nested.at_ < nested.text_.size()) inside.add(nested.text_.substr(nested.at_++, 1));
      }
      value = {inside.current};
    } else if (found == script_.variables.end() && !all) {
      return grown.add("$" + std::string(whole));
    }
    if (!all && value.size() > 1) value.resize(1);
    for (size_t i = 0; i < value.size(); ++i) {
      if (i > 0) grown.cut();
      split ? grown.add_split(value[i]) : grown.add(value[i]);
    }
  }

  void redirection() {
    if (has("<<")) stop(line(), "a here-document cannot be followed");
    while (here() == '&' || here() == '>' || here() == '<') ++at_;
    skip_blanks();
    word();
  }

  const std::string_view text_;
  const std::string file_;
  size_t at_ = 0;
  ShellScript script_;
};

}  // namespace

ShellScript read_shell(std::string_view text, const std::string& file,
                       const std::map<std::string, std::string>& given) {
  return ShellReader(text, file, given).read();
}

std::string first_unknown(std::string_view word) {
  for (const auto& [open, close] : {std::pair{"$(", ')'}, std::pair{"${", '}'}, std::pair{"`", '`'}}) {
    const size_t begin = word.find(open);
    if (begin == std::string_view::npos) continue;
    const size_t end = word.find(close, begin + 1);
    return std::string(word.substr(begin, end == std::string_view::npos ? end : end - begin + 1));
  }
  return "";
}

std::string shell_quoted(const std::string& word) {
  const auto safe = [](char c) {
    return is_name(c) || std::string_view("-+=./:,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), safe)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace mindspeed
