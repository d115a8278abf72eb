#include "front/tokenizer/pipeline/split.h"

#include "front/base/error.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

// Receives the ranges of a text in order, matches and gaps in turn, and appends pieces as the behaviour asks.
class Collector {
 public:
  Collector(Piece piece, SplitBehavior behavior, bool invert, std::vector<Piece>& out)
      : piece_(piece), behavior_(behavior), invert_(invert), out_(out) {}

  void range(size_t begin, size_t end, bool matched) {
    if (begin == end) return;
    matched ^= invert_;
    switch (behavior_) {
      case SplitBehavior::isolated:
        emit(begin, end);
        break;
      case SplitBehavior::removed:
        if (!matched) emit(begin, end);
        break;
      case SplitBehavior::contiguous:
        join_if(matched == previous_, begin, end);
        break;
      case SplitBehavior::merged_with_previous:
        join_if(matched && !previous_, begin, end);
        break;
      case SplitBehavior::merged_with_next:
        // A match waits for the range after it; of two neighbouring matches the first stays alone.
        if (open_ && matched) close();
        if (!open_) open_begin_ = begin;
        open_end_ = end;
        open_ = true;
        if (!matched) close();
        return;
    }
    previous_ = matched;
  }

  void finish() {
    if (open_) close();
  }

 private:
  void emit(size_t begin, size_t end) {
    out_.push_back({piece_.text.substr(begin, end - begin), piece_.at_start && begin == 0});
  }
  // Lengthens the open range or starts a new one.
  void join_if(bool joined, size_t begin, size_t end) {
    if (open_ && !joined) close();
    if (!open_) open_begin_ = begin;
    open_end_ = end;
    open_ = true;
  }
  void close() {
    emit(open_begin_, open_end_);
    open_ = false;
  }

  Piece piece_;
  SplitBehavior behavior_;
  bool invert_;
  std::vector<Piece>& out_;
  bool previous_ = false;
  bool open_ = false;
  size_t open_begin_ = 0;
  size_t open_end_ = 0;
};

}  // namespace

SplitBehavior behavior_of(std::string_view name) {
  if (name == "Removed" || name == "removed") return SplitBehavior::removed;
  if (name == "Isolated" || name == "isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious" || name == "merged_with_previous")
    return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext" || name == "merged_with_next") return SplitBehavior::merged_with_next;
  if (name == "Contiguous" || name == "contiguous") return SplitBehavior::contiguous;
  fail("tokenizer", "unknown split behavior \"{}\" in tokenizer.json", name);
}

void RegexSplit::split(Piece piece, PreTokenizeScratch& scratch, std::vector<Piece>& out) const {
  Collector collector(piece, behavior_, invert_, out);
  const std::string_view text = piece.text;
  size_t done = 0;
  size_t from = 0;
  while (from <= text.size()) {
    const auto match = regex_.find(text, from, scratch.match);
    if (!match) break;
    if (match->begin == match->end) {  // empty: no range of its own, look on behind the next character
      if (match->end >= text.size()) break;
      collector.range(done, match->begin, false);
      done = match->begin;
      from = match->end + character_length(text, match->end);
      continue;
    }
    collector.range(done, match->begin, false);
    collector.range(match->begin, match->end, true);
    done = from = match->end;
  }
  collector.range(done, text.size(), false);
  collector.finish();
}

void LiteralSplit::split(Piece piece, PreTokenizeScratch&, std::vector<Piece>& out) const {
  Collector collector(piece, behavior_, invert_, out);
  const std::string_view text = piece.text;
  size_t done = 0;
  for (size_t at = text.find(literal_); at != std::string_view::npos; at = text.find(literal_, done)) {
    collector.range(done, at, false);
    collector.range(at, at + literal_.size(), true);
    done = at + literal_.size();
  }
  collector.range(done, text.size(), false);
  collector.finish();
}

}  // namespace mindspeed::tokenization
