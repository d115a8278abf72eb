// The files beside the weights that a GGUF file stands for.
#pragma once

#include <map>
#include <string>

#include "front/base/file.h"

namespace mindspeed {

// config.json, generation_config.json, tokenizer.json, tokenizer_config.json, special_tokens_map.json and, if
// there is a template, chat_template.jinja: name -> content. A file without a vocabulary gives the first two.
std::map<std::string, std::string> gguf_side_files(const fs::path& path);

}  // namespace mindspeed
