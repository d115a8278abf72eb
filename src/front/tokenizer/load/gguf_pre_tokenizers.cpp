#include "front/tokenizer/load/gguf_pre_tokenizers.h"

#include <set>

#include "front/base/error.h"
#include "front/tokenizer/pipeline/word_patterns.h"

namespace mindspeed::tokenization {
namespace {

struct Named {
  std::set<std::string_view> names;
  GgufPreTokenizer pre;
};

const std::string kDigits = R"(\p{N})";
const std::string kThreeDigits = R"(\p{N}{1,3})";
const std::string kChineseAndKana = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+";
const std::string kPoroWords = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+";

// DeepSeek V3's words, and what its kin put at the end of a run of marks.
std::string deepseek_words() {
  return R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
         R"(| ?[\p{P}\p{S}]+[\r\n]*)" +
         kWhiteSpaceTail;
}

// The first DeepSeek: letters of the scripts that have capitals, and its own list of marks.
std::vector<std::string> deepseek_llm_patterns() {
  return {
      R"([\r\n])",
      R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗ)"
      R"(ὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗ)"
      R"(Ａ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)",
      "\\s?[!-/:-~！-／：-～‘-‟　-。]+",
      R"(\s+$)",
      "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
      R"(\p{N}+)"};
}

std::vector<Named> make_table() {
  const std::string gpt2(kGpt2Words);
  return {
      {{"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "gigachat", "a.x-4.0", "mellum", "modern-bert",
        "exaone4", "trillion", "granite-docling"},
       {.patterns = {gpt2}}},
      {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"},
       {.patterns = {kDigits, gpt2}}},
      {{"qwen2", "deepseek-r1-qwen"}, {.patterns = {cl100k_words(kDigits)}, .nfc = true}},
      {{"stablelm2", "hunyuan", "solar-open", "megrez", "grok-2", "kormo", "f2llmv2"},
       {.patterns = {cl100k_words(kDigits)}}},
      // Not NFC: its test vectors keep combining marks apart.
      {{"qwen35"},
       {.patterns = {kEnglishEndings +
                     R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" +
                     kWhiteSpaceTail}}},
      {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"},
       {.patterns = {cl100k_words(kThreeDigits)}, .ignore_merges = true, .add_bos = true}},
      {{"dbrx", "smaug-bpe", "chatglm-bpe"}, {.patterns = {cl100k_words(kThreeDigits)}}},
      {{"glm4", "glm5"}, {.patterns = {cl100k_words(kThreeDigits)}, .ignore_merges = true}},
      {{"minicpm5"}, {.patterns = {kThreeDigits, cl100k_words(R"(\p{N}+)")}, .ignore_merges = true}},
      {{"tekken"}, {.patterns = {cased_words("", kDigits)}, .ignore_merges = true, .add_bos = true}},
      {{"gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"},
       {.patterns = {cased_words(kEnglishEndings + "?", kThreeDigits)}}},
      {{"tiny_aya", "cohere2moe"},
       {.patterns = {R"(\d{1,3}(?=(?:\d{3})*\b))", cased_words(kEnglishEndings + "?", kThreeDigits)}}},
      {{"deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"},
       {.patterns = {kThreeDigits, kChineseAndKana, deepseek_words()}}},
      {{"deepseek-coder"},
       {.patterns = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)",
                     "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", kDigits}}},
      {{"deepseek-llm"}, {.patterns = deepseek_llm_patterns()}},
      {{"falcon"}, {.patterns = {R"([\p{P}\$\+<=>\^~\|`]+)", gpt2, "[0-9][0-9][0-9]"}}},
      {{"default"}, {.patterns = {R"([\p{P}\$\+<=>\^~\|]+)", gpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}}},
      {{"poro-chat", "bloom", "gpt3-finnish"}, {.patterns = {kPoroWords}}},
      {{"viking"}, {.patterns = {kPoroWords, kDigits}}},
      {{"seed-coder"},
       {.patterns = {kEnglishEndings + R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+)" +
                     kWhiteSpaceTail}}},
      {{"bailingmoe", "bailingmoe2", "llada-moe"},
       {.patterns = {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
                     R"(|\s*[\r\n]|\s+(?!\S)|\s+)"}}},
  };
}

}  // namespace

const GgufPreTokenizer& gguf_pre_tokenizer(std::string_view name) {
  static const std::vector<Named> table = make_table();
  std::string known;
  for (const Named& entry : table) {
    if (entry.names.contains(name)) return entry.pre;
    for (const std::string_view one : entry.names) known += (known.empty() ? "" : ", ") + std::string(one);
  }
  if (name.empty())
    refuse("tokenizer",
           "the GGUF file does not name its pre-tokenizer (tokenizer.ggml.pre), and a guess could give other "
           "ids; use "
           "the model's Hugging Face folder, or convert the model to GGUF again");
  refuse("tokenizer",
         "the GGUF file's pre-tokenizer is \"{}\"; known are {}; use the model's Hugging Face folder instead",
         name, known);
}

}  // namespace mindspeed::tokenization
