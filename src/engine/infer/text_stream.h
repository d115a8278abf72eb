// New tokens of one row -> text for the user: whole characters only, nothing of a stop string.
#pragma once

#include <string>
#include <vector>

#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

class TextStream {
 public:
  // `stop`: strings before which the text ends, also when one lies across tokens.
  TextStream(const Tokenizer& tokenizer, std::vector<std::string> stop, bool skip_special = true);

  // Text that may be shown after this token; a tail that could begin a stop string is held back.
  std::string push(int32_t id);
  // True once a stop string was met; later tokens add nothing.
  bool stopped() const { return stopped_; }
  // What was held back, when the row ends without a stop string.
  std::string finish();
  // All text so far.
  const std::string& text() const { return shown_; }

 private:
  std::string release(std::string fresh, bool last);
  StreamDecoder decoder_;
  std::vector<std::string> stop_;
  std::string held_, shown_;
  bool stopped_ = false;
};

}  // namespace mindspeed
