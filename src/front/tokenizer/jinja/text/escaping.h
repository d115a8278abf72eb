// Rewriting code points without losing their marks.
#pragma once

#include <string>

#include "front/tokenizer/jinja/text/text.h"

namespace mindspeed::jinja {

// Appends `text` with code points rewritten by `escape` (empty result: keep), keeping marks.
template <class Escape>
void append_escaped(Text& out, const Text& text, const Escape& escape) {
  size_t offset = 0;
  for (const Text::Run& run : text.runs()) {
    std::string piece;
    while (offset < run.end) {
      const size_t begin = offset;
      const std::string escaped = escape(next_code_point(text.bytes(), offset));
      if (escaped.empty())
        piece.append(text.bytes(), begin, offset - begin);
      else
        piece += escaped;
    }
    out.append(piece, run.marks);
  }
}

}  // namespace mindspeed::jinja
