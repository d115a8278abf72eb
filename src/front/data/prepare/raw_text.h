// Raw text as training data: tokenised when a run starts, and kept under a name that its content decides.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "front/plan/plan.h"
#include "front/tokenizer/tokenizer.h"

namespace mindspeed {

// Whether a --data-path means text (a file of a known format, a folder or a pattern) and not a .bin/.idx
// prefix.
bool is_raw_text(const std::string& path);

// The folder in which the tokenised form of `path` is kept: `chosen` (--data-cache-path), else
// mindspeed_cache beside the text.
std::filesystem::path raw_text_folder(const std::string& path, const std::string& chosen);

// The tokenizer of a folder or file (convert/open_tokenizer.h).
using OpenTokenizer = std::function<Tokenizer(const std::filesystem::path&)>;

// Replaces every raw path of plan.data.paths by the prefix of its tokenised form. The name of a prefix is a
// hash of the texts' bytes, the key, the end-of-document token and the tokenizer: whatever changes the tokens
// makes a new one, and a text that was only touched is not tokenised again. Processes that start together
// tokenise once: one works, the others wait for it. Throws Error (exit code 2) for bad requests, 1 for bad
// text.
void prepare_raw_text(Plan& plan, const OpenTokenizer& open);

}  // namespace mindspeed
