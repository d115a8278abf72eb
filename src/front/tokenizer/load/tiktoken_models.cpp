#include "front/tokenizer/load/tiktoken_models.h"

#include "front/base/error.h"
#include "front/base/hash.h"
#include "front/tokenizer/pipeline/word_patterns.h"

namespace mindspeed::tokenization {
namespace {

// Special tokens with consecutive ids.
class Specials {
 public:
  explicit Specials(int32_t first) : next_(first) {}
  Specials& add(std::initializer_list<const char*> names) {
    for (const char* name : names) tokens_.emplace_back(name, next_++);
    return *this;
  }
  // "<|NAME_FROM|>" to "<|NAME_(FROM + count - 1)|>".
  Specials& reserve(const std::string& name, int from, int count) {
    for (int i = from; i < from + count; ++i)
      tokens_.emplace_back("<|" + name + "_" + std::to_string(i) + "|>", next_++);
    return *this;
  }
  std::vector<std::pair<std::string, int32_t>> take() { return std::move(tokens_); }

 private:
  int32_t next_;
  std::vector<std::pair<std::string, int32_t>> tokens_;
};

TiktokenSpec qwen() {
  Specials specials(151643);
  specials.add({"<|endoftext|>", "<|im_start|>", "<|im_end|>"}).reserve("extra", 0, 205);
  return {.pattern = cl100k_words(R"(\p{N})"),
          .special_tokens = specials.take(),
          .nfc = true,
          .eos = "<|endoftext|>",
          .pad = "<|endoftext|>"};
}

TiktokenSpec llama3() {
  Specials specials(128000);
  specials.add({"<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>",
                "<|reserved_special_token_1|>", "<|finetune_right_pad_id|>", "<|step_id|>",
                "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>", "<|python_tag|>",
                "<|image|>"});
  specials.reserve("reserved_special_token", 2, 244);
  return {.pattern = cl100k_words(R"(\p{N}{1,3})"),
          .special_tokens = specials.take(),
          .bos = "<|begin_of_text|>",
          .eos = "<|end_of_text|>",
          .pad = "<|finetune_right_pad_id|>",
          .add_bos = true};
}

TiktokenSpec llama4() {
  const std::string text = "text_post_train_reserved_special_token", vision = "vision_reserved_special_token";
  Specials specials(200000);
  specials.add(
      {"<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"});
  specials.add({"<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>"}).reserve(text, 0, 6);
  specials.add({"<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>"}).reserve(text, 8, 61);
  specials.add({"<|image_start|>", "<|image_end|>"}).reserve(vision, 0, 2);
  specials.add({"<|tile_x_separator|>", "<|tile_y_separator|>"}).reserve(vision, 2, 4);
  specials.add({"<|image|>"}).reserve(vision, 6, 1).add({"<|patch|>"}).reserve(vision, 7, 1041);
  specials.reserve("reasoning_reserved_special_token", 0, 8);
  specials.add({"<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"});
  specials.reserve("reserved_special_token", 0, 2048 - 1144);
  return {.pattern = cased_words(kEnglishEndings + "?", R"(\p{N}{1,3})"),
          .special_tokens = specials.take(),
          .bos = "<|begin_of_text|>",
          .eos = "<|end_of_text|>",
          .pad = "<|finetune_right_pad|>",
          .add_bos = true};
}

}  // namespace

TiktokenSpec tiktoken_model(std::string_view content, std::string_view origin) {
  const std::string hash = sha256_hex(content);
  if (hash == "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186") return qwen();
  if (hash == "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55") return llama3();
  if (hash == "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed") return llama4();
  refuse(
      "tokenizer",
      "{} is a tiktoken vocabulary, which holds neither its pattern nor its special tokens; known are the "
      "files of "
      "Qwen, Llama 3 and Llama 4, and this is none of them (SHA-256 {}...); use the model's tokenizer.json",
      origin, hash.substr(0, 12));
}

}  // namespace mindspeed::tokenization
