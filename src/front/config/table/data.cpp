// Training data, tokenizer, and the flags of `preprocess`.
#include "front/config/table/groups.h"

namespace mindspeed {
namespace {

using namespace rows;

constexpr const char* kHandlers =
    "GeneralPretrainHandler|AlpacaPretrainHandler|SharegptPretrainHandler|AlpacaStyleInstructionHandler|"
    "SharegptStyleInstructionHandler|OpenAIInstructionHandler|AlpacaStylePairwiseHandler|"
    "SharegptStylePairwiseHandler|LlamaFactoryInstructionHandler|HunyuanInstructionHandler|"
    "PPOAlpacaStyleInstructionHandler|R1AlpacaStyleInstructionHandler";

constexpr Field kData[] = {
    list("data-path", "", "prefix of .bin/.idx files, or raw text; or weight path weight path ..."),
    flag("mock-data", "synthetic tokens, no files"),
    text("split", "969,30,1", "shares of training, validation and test"),
    text("data-cache-path", "", "folder of the index files (default: indices stay in memory)"),
    text("dataloader-type", "single", "order of samples").one_of("single|cyclic"),
    flag("eod-mask-loss", "no loss on end-of-document tokens"),
    flag("reset-position-ids", "positions restart after each document"),
    flag("reset-attention-mask", "attention stays inside a document"),
    integer("num-workers", "2", "loader threads")
        .at_least(0)
        .tuning("samples are read in the training thread"),
    flag("no-create-attention-mask-in-dataloader", "build masks in the model")
        .equivalent("masks are never materialised"),
    flag("create-attention-mask-in-dataloader", "build masks in the loader")
        .equivalent("masks are never materialised"),
    flag("no-mmap-bin-files", "read instead of map").equivalent("the bytes are the same"),
    list("train-data-path", "", "training data")
        .refused("give all data in --data-path and its shares in --split"),
    list("valid-data-path", "", "validation data")
        .refused("give all data in --data-path and its shares in --split"),
    list("test-data-path", "", "test data").refused("give all data in --data-path and its shares in --split"),
    text("handler-name", "GeneralPretrainHandler", "how raw text becomes documents").one_of(kHandlers),
    list("json-keys", "text", "raw text: the key whose text is tokenised"),
    flag("append-eod", "raw text: end each document with the end-of-document token"),
    integer("workers", "1", "raw text: threads that tokenise").between(1, 1024),
    text("on-error", "stop", "raw text: a bad record: stop, or skip and count").one_of("stop|skip"),
    integer("fix-sub-seq-length", "", "synthetic document length").refused("a test device of MindSpeed"),
};

constexpr Field kTokenizer[] = {
    text("tokenizer-type", "", "kind of tokenizer")
        .one_of("PretrainedFromHF|HuggingFaceTokenizer|GPT2BPETokenizer|Llama2Tokenizer|Llama3Tokenizer|"
                "SentencePieceTokenizer|TikTokenizer|NullTokenizer|MagistralTokenizer")
        .equivalent("the tokenizer is recognised from its files"),
    text("tokenizer-name-or-path", "",
         "folder with tokenizer.json, or a .gguf file (training: default --model)"),
    text("tokenizer-model", "", "tokenizer file").alias("tokenizer-file"),
    flag("tokenizer-not-use-fast", "slow Python tokenizer")
        .equivalent("there is one tokenizer implementation"),
    text("tokenizer-padding-side", "right", "side of padding")
        .one_of("left|right")
        .equivalent("padding is by length"),
    text("vocab-file", "", "vocab.json")
        .refused("give a folder with tokenizer.json in --tokenizer-name-or-path"),
    text("merge-file", "", "merges.txt")
        .refused("give a folder with tokenizer.json in --tokenizer-name-or-path"),
    integer("pad-vocab-size-to", "", "padded size").refused("use --padded-vocab-size").at_least(1),
};

constexpr std::string_view kInstruction =
    "instruction data needs the fine-tuning feature, which is not built yet";

constexpr Field kPreprocessRows[] = {
    list("input", "", "files, folders or patterns: jsonl, json, txt, csv (also .gz or .zst), parquet"),
    text("output-prefix", "", "where PREFIX_KEY_document.bin and .idx go"),
    list("json-keys", "text", "keys whose text is tokenised"),
    text("handler-name", "GeneralPretrainHandler", "how rows become documents").one_of(kHandlers),
    flag("append-eod", "end each document with the end-of-document token"),
    integer("workers", "1", "threads that tokenise").between(1, 1024),
    integer("n-subs", "1", "parts that are built apart and merged")
        .at_least(1)
        .equivalent("the output does not depend on it; --workers sets the threads"),
    integer("log-interval", "100", "documents between progress lines").at_least(1),
    text("on-error", "stop", "a bad row: stop, or skip and count").one_of("stop|skip"),
    text("dataset-impl", "mmap", "file format").one_of("mmap"),
    integer("max-samples", "", "documents to take").at_least(1).any_size(),
    flag("split-sentences", "one sequence per sentence")
        .refused("needs a sentence splitter, which is not built"),
    flag("keep-newlines", "with --split-sentences").refused("needs a sentence splitter, which is not built"),
    flag("overwrite-cache", "rebuild cached data").equivalent("nothing is cached"),
    text("cache-dir", "", "cache of data sets").equivalent("nothing is cached"),
    flag("streaming", "stream the data set").equivalent("input is always streamed"),
    text("map-keys", "", "names of columns").refused(kInstruction),
    text("prompt-type", "", "chat template").refused(kInstruction),
    text("prompt-type-path", "", "file of templates").refused(kInstruction),
    text("enable-thinking", "", "reasoning template").refused(kInstruction),
    flag("pack", "pack samples into sequences").refused(kInstruction),
    flag("neat-pack", "pack with sample masks").refused(kInstruction),
    integer("seq-length", "", "length of packed sequences").refused(kInstruction).at_least(1),
    integer("pad-to-multiple-of", "1", "padding").refused(kInstruction).off_at("1"),
    list("dataset-additional-keys", "", "further columns").refused(kInstruction),
    integer("make-vocab-size-divisible-by", "128", "vocabulary padding")
        .equivalent("ids do not depend on it"),
    integer("seed", "1234", "seed of shuffles").equivalent("documents keep their order"),
    list("datasets", "", "names of data sets").refused("give files in --input"),
    text("dataset-dir", "", "folder of data sets").refused("give files in --input"),
    text("hf-datasets-params", "", "parameters of a loader").refused("give files in --input"),
    text("script-data-dir", "", "folder of a loader script").refused("give files in --input"),
    text("mix-strategy", "concat", "mixing")
        .one_of("concat|interleave_under|interleave_over")
        .refused("several inputs are concatenated; blend at training time with --data-path")
        .off_at("concat"),
    text("interleave-probs", "", "mixing").refused("blend at training time with --data-path"),
    flag("data-obfuscation", "PMCC obfuscation").refused("needs an outside package"),
    text("obf-seed-content", "", "PMCC obfuscation").refused("needs an outside package"),
};

}  // namespace

FieldGroup data_group() { return {"data", "Data", kPretrain, kData}; }
FieldGroup tokenizer_group() {
  return {"tokenizer", "Tokenizer", kPretrain | kGenerate | kPreprocess | kConvert | kEvaluate, kTokenizer};
}
FieldGroup preprocess_group() { return {"preprocess", "Preprocess", Command::kPreprocess, kPreprocessRows}; }

}  // namespace mindspeed
