#include "front/tokenizer/pipeline/pre_tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/pipeline/component.h"
#include "front/tokenizer/pipeline/split.h"
#include "front/tokenizer/pipeline/word_patterns.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kPreTokenizer = "pre_tokenizer";

// ASCII's marks and Unicode's punctuation.
constexpr std::string_view kPunctuation = R"([\p{P}$+<=>^`|~])";

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<const PreTokenizer>> steps) : steps_(std::move(steps)) {}
  void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const override {
    std::vector<Piece> now{piece};
    std::vector<Piece> next;
    for (const auto& step : steps_) {
      next.clear();
      for (const Piece& part : now) step->split(part, scratch, next);
      now.swap(next);
    }
    out.insert(out.end(), now.begin(), now.end());
  }

 private:
  std::vector<std::unique_ptr<const PreTokenizer>> steps_;
};

// ByteLevel without its alphabet: the model reads bytes, so only the leading space and the split remain.
class ByteLevel : public PreTokenizer {
 public:
  ByteLevel(bool add_prefix_space, bool use_regex) : add_prefix_space_(add_prefix_space) {
    if (use_regex)
      words_.emplace(Regex(kGpt2Words, RegexDialect::oniguruma), SplitBehavior::isolated, /*invert=*/false);
  }
  void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const override {
    if (add_prefix_space_ && !piece.text.starts_with(' '))
      piece.text = scratch.texts.emplace_back(" " + std::string(piece.text));
    if (words_)
      words_->split(piece, scratch, out);
    else
      out.push_back(piece);
  }

 private:
  bool add_prefix_space_;
  std::optional<RegexSplit> words_;
};

class Metaspace : public PreTokenizer {
 public:
  enum class Prepend { always, first, never };
  Metaspace(std::string replacement, Prepend prepend, bool split)
      : replacement_(std::move(replacement)), prepend_(prepend), split_(split) {}

  void split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const override {
    std::string text;
    for (const char c : piece.text) c == ' ' ? text += replacement_ : text += c;
    const bool wanted = prepend_ == Prepend::always || (prepend_ == Prepend::first && piece.at_start);
    if (wanted && !text.starts_with(replacement_)) text.insert(0, replacement_);
    piece.text = scratch.texts.emplace_back(std::move(text));
    if (split_)
      LiteralSplit(replacement_, SplitBehavior::merged_with_next, false).split(piece, scratch, out);
    else
      out.push_back(piece);
  }

 private:
  std::string replacement_;
  Prepend prepend_;
  bool split_;
};

std::unique_ptr<const PreTokenizer> make_metaspace(const Json& component) {
  require_known_keys(component, kPreTokenizer,
                     {"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
  const std::string replacement = get_string(component, kPreTokenizer, "replacement", "\u2581");
  const bool legacy = get_bool(component, kPreTokenizer, "add_prefix_space", true);
  const std::string scheme =
      get_string(component, kPreTokenizer, "prepend_scheme", legacy ? "always" : "never");
  if (!legacy && scheme != "never")
    fail("tokenizer", "Metaspace has add_prefix_space false and prepend_scheme {}; they contradict", scheme);
  Metaspace::Prepend prepend = Metaspace::Prepend::never;
  if (scheme == "always")
    prepend = Metaspace::Prepend::always;
  else if (scheme == "first")
    prepend = Metaspace::Prepend::first;
  else if (scheme != "never")
    fail("tokenizer", "Metaspace has prepend_scheme \"{}\"; known are always, first, never", scheme);
  return std::make_unique<Metaspace>(replacement, prepend, get_bool(component, kPreTokenizer, "split", true));
}

std::unique_ptr<const PreTokenizer> make_fixed(std::string_view pattern, SplitBehavior behavior,
                                               bool invert) {
  return std::make_unique<RegexSplit>(Regex(pattern, RegexDialect::rust), behavior, invert);
}

std::unique_ptr<const PreTokenizer> make_split(const Json& component) {
  require_known_keys(component, kPreTokenizer, {"pattern", "behavior", "invert"});
  const PatternSource pattern = get_pattern(component, kPreTokenizer);
  const SplitBehavior behavior = behavior_of(get_string(component, kPreTokenizer, "behavior", ""));
  const bool invert = get_bool(component, kPreTokenizer, "invert", false);
  if (!pattern.is_regex) return std::make_unique<LiteralSplit>(pattern.text, behavior, invert);
  return std::make_unique<RegexSplit>(Regex(pattern.text, RegexDialect::oniguruma), behavior, invert);
}

std::unique_ptr<const PreTokenizer> make_simple(const std::string& type, const Json& component) {
  if (type == "Split") return make_split(component);
  if (type == "Metaspace") return make_metaspace(component);
  if (type == "Digits") {
    require_known_keys(component, kPreTokenizer, {"individual_digits"});
    const bool apart = get_bool(component, kPreTokenizer, "individual_digits", false);
    return make_fixed(R"(\p{N})", apart ? SplitBehavior::isolated : SplitBehavior::contiguous, false);
  }
  if (type == "Punctuation") {
    require_known_keys(component, kPreTokenizer, {"behavior"});
    return make_fixed(kPunctuation, behavior_of(get_string(component, kPreTokenizer, "behavior", "Isolated")),
                      false);
  }
  if (type == "CharDelimiterSplit") {
    require_known_keys(component, kPreTokenizer, {"delimiter"});
    const std::string delimiter = get_string(component, kPreTokenizer, "delimiter", "");
    if (delimiter.empty()) fail("tokenizer", "CharDelimiterSplit needs a delimiter");
    return std::make_unique<LiteralSplit>(delimiter, SplitBehavior::removed, false);
  }
  require_known_keys(component, kPreTokenizer, {});
  if (type == "BertPreTokenizer") {
    std::vector<std::unique_ptr<const PreTokenizer>> steps;
    steps.push_back(make_fixed(R"(\s)", SplitBehavior::removed, false));
    steps.push_back(make_fixed(kPunctuation, SplitBehavior::isolated, false));
    return std::make_unique<Sequence>(std::move(steps));
  }
  if (type == "Whitespace") return make_fixed(R"(\w+|[^\w\s]+)", SplitBehavior::removed, /*invert=*/true);
  if (type == "WhitespaceSplit") return make_fixed(R"(\s)", SplitBehavior::removed, false);
  refuse_component(kPreTokenizer, type);
}

// Appends the steps of a component; `by_bytes` tells that a ByteLevel has been met, after which nothing may
// follow.
void add_steps(const Json& component, std::vector<std::unique_ptr<const PreTokenizer>>& steps,
               bool& by_bytes) {
  const std::string type = type_of(component, kPreTokenizer);
  if (type == "Sequence") {
    require_known_keys(component, kPreTokenizer, {"pretokenizers"});
    for (const Json& part : get_array(component, kPreTokenizer, "pretokenizers"))
      add_steps(part, steps, by_bytes);
    return;
  }
  if (by_bytes)
    fail("tokenizer", "the pre_tokenizer has {} after ByteLevel; ByteLevel must be the last step", type);
  if (type == "ByteLevel") {
    require_known_keys(component, kPreTokenizer, {"add_prefix_space", "trim_offsets", "use_regex"});
    by_bytes = true;
    const bool prefix = get_bool(component, kPreTokenizer, "add_prefix_space", true);
    const bool regex = get_bool(component, kPreTokenizer, "use_regex", true);
    if (prefix || regex) steps.push_back(std::make_unique<ByteLevel>(prefix, regex));
    return;
  }
  steps.push_back(make_simple(type, component));
}

}  // namespace

PreTokenizerPlan make_pre_tokenizer(const Json& component) {
  PreTokenizerPlan plan;
  if (component.is_null()) return plan;
  std::vector<std::unique_ptr<const PreTokenizer>> steps;
  add_steps(component, steps, plan.by_bytes);
  if (steps.size() == 1)
    plan.splitter = std::move(steps.front());
  else if (!steps.empty())
    plan.splitter = std::make_unique<Sequence>(std::move(steps));
  return plan;
}

std::unique_ptr<const PreTokenizer> make_tiktoken_splitter(std::string_view pattern) {
  // What no alternative matches is dropped by tiktoken, so the patterns cover everything.
  return make_fixed(pattern, SplitBehavior::removed, /*invert=*/true);
}

}  // namespace mindspeed::tokenization
