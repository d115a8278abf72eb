#include "engine/infer/text_stream.h"

#include <algorithm>
#include <utility>

namespace mindspeed {
namespace {

// Length of the longest end of `text` that is a proper beginning of `stop`.
size_t overlap(const std::string& text, const std::string& stop) {
  for (size_t n = std::min(text.size(), stop.size() - 1); n > 0; --n)
    if (text.compare(text.size() - n, n, stop, 0, n) == 0) return n;
  return 0;
}

}  // namespace

TextStream::TextStream(const Tokenizer& tokenizer, std::vector<std::string> stop, bool skip_special)
    : decoder_(tokenizer, skip_special), stop_(std::move(stop)) {
  std::erase(stop_, "");
}

std::string TextStream::push(int32_t id) { return stopped_ ? "" : release(decoder_.push(id), false); }

std::string TextStream::finish() { return stopped_ ? "" : release(decoder_.finish(), true); }

std::string TextStream::release(std::string fresh, bool last) {
  held_ += fresh;
  size_t cut = std::string::npos, hold = 0;
  for (const std::string& s : stop_) {
    cut = std::min(cut, held_.find(s));
    hold = std::max(hold, overlap(held_, s));
  }
  std::string out;
  if (cut != std::string::npos) {
    stopped_ = true;
    out = held_.substr(0, cut);
    held_.clear();
  } else {
    out = held_.substr(0, held_.size() - (last ? 0 : hold));
    held_.erase(0, out.size());
  }
  shown_ += out;
  return out;
}

}  // namespace mindspeed
