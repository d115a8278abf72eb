#include "front/convert/open_tokenizer.h"

#include "front/base/error.h"
#include "front/convert/gguf/gguf_config.h"
#include "front/formats/gguf/gguf_file.h"

namespace mindspeed {

Tokenizer open_tokenizer(const fs::path& path) {
  if (!fs::exists(path))
    refuse("tokenizer",
           "\"{}\" came; a folder with tokenizer.json (tokenizer.model, tekken.json, *.tiktoken), or a .gguf "
           "file, is needed",
           path.string());
  if (path.extension() == ".gguf") return Tokenizer::from_gguf(gguf_vocabulary(GgufFile(path)));
  return Tokenizer::load(path);
}

bool has_tokenizer(const fs::path& path) {
  return path.extension() == ".gguf" || (fs::is_directory(path) && Tokenizer::found_in(path));
}

}  // namespace mindspeed
