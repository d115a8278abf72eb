// What an exported folder looks like: shards, dtypes, config and side files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/convert/convert.h"
#include "front/convert/hf/sink.h"
#include "front/convert/open.h"
#include "front/models/registry.h"
#include "tests/front/convert/folders.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

ConvertOptions options(const fs::path& from, const fs::path& to) {
  ConvertOptions o;
  o.load_dir = from;
  o.save_dir = to;
  return o;
}

fs::path golden(const std::string& name) { return fs::path(test::golden_dir()) / "hf" / name; }

TEST(Shards, HoldTheSameTensorsAndOpenThroughTheirIndex) {
  const fs::path to = test::temporary_dir("shards");
  ConvertOptions o = options(golden("qwen3_untied"), to);
  o.max_shard_bytes = 100'000;
  convert_model(o);
  EXPECT_FALSE(fs::exists(to / "model.safetensors"));
  EXPECT_TRUE(fs::exists(to / "model-00001-of-00004.safetensors"));
  const Json index = read_json(to / "model.safetensors.index.json");
  EXPECT_EQ(index["metadata"]["total_size"], 4 * total_elements(parameter_table(test::model_at(to))));
  const auto a = test::weights_at(golden("qwen3_untied"));
  const auto b = test::weights_at(to);
  for (const TensorInfo& info : a->list())
    EXPECT_EQ(test::read_whole(*a, info.name), test::read_whole(*b, info.name)) << info.name;
}

// Fault 43: the dtype key tells what is stored, under the name that the folder used, and nothing else
// changes.
TEST(Dtypes, ChangeTheWeightsAndOneKey) {
  const fs::path to = test::temporary_dir("bf16");
  ConvertOptions o = options(golden("qwen2"), to);
  o.dtype = DType::bf16;
  convert_model(o);
  Json before = read_json(golden("qwen2") / "config.json");
  const Json after = read_json(to / "config.json");
  EXPECT_EQ(after["dtype"], "bfloat16");
  before["dtype"] = "bfloat16";
  EXPECT_EQ(after, before);
  const auto source = test::weights_at(to);
  EXPECT_EQ(source->list().front().dtype, DType::bf16);
  const std::vector<float> fp32 =
      test::read_whole(*test::weights_at(golden("qwen2")), "layers.0.attn.qkv.weight");
  const std::vector<float> bf16 = test::read_whole(*source, "layers.0.attn.qkv.weight");
  for (size_t i = 0; i < fp32.size(); ++i) ASSERT_EQ(bf16[i], bf16_to_float(float_to_bf16(fp32[i])));
}

TEST(SideFiles, OfTokenizerAndTemplateAreCopiedAndOthersAreNot) {
  const fs::path from = test::copy_of_golden("qwen3_tied");
  const std::vector<std::string> kept{"tokenizer.json", "tokenizer_config.json", "merges.txt",
                                      "vocab.json",     "chat_template.jinja",   "special_tokens_map.json",
                                      "LICENSE"};
  for (const std::string& name : kept) write_file_atomic(from / name, "content of " + name + "\r\n\xff");
  for (const char* name : {"optimizer.pt", "README.md", "training_args.bin"})
    write_file_atomic(from / name, "x");
  fs::create_directories(from / "additional_chat_templates");
  write_file_atomic(from / "additional_chat_templates/tool.jinja", "tool");
  const fs::path to = test::temporary_dir("side");
  convert_model(options(from, to));
  for (const std::string& name : kept) EXPECT_EQ(read_file(to / name), read_file(from / name)) << name;
  EXPECT_EQ(read_file(to / "additional_chat_templates/tool.jinja"), "tool");
  for (const char* name : {"optimizer.pt", "README.md", "training_args.bin"})
    EXPECT_FALSE(fs::exists(to / name)) << name;
}

TEST(Presets, ExportOpensAgainWithoutASourceFolder) {
  for (const models::Family& family : models::families()) {
    const ModelSpec model =
        models::model_from_config(models::preset_config(family.name + ":debug"), "preset");
    const std::vector<ParameterSpec> table = parameter_table(model);
    const fs::path to = test::temporary_dir("preset");
    HuggingFaceSink sink({.directory = to}, model, stored_as(table, DType::f32));
    float next = 0;
    for (const TensorInfo& info : sink.expected()) {
      std::vector<float> values(static_cast<size_t>(whole(info.shape).elements()));
      for (float& v : values) v = next += 1;
      sink.write(info.name, DType::f32, std::as_bytes(std::span(values)));
    }
    EXPECT_FALSE(fs::exists(to / "config.json"));
    sink.finish();
    EXPECT_EQ(read_json(to / "config.json")["architectures"], Json{family.architecture});
    const auto source = test::weights_at(to);
    next = 0;
    for (const TensorInfo& info : source->list())
      for (const float v : test::read_whole(*source, info.name)) ASSERT_EQ(v, next += 1) << info.name;
  }
}

TEST(Sink, NamesEveryTensorThatWasNotWritten) {
  const ModelSpec model = models::model_from_config(models::preset_config("qwen3:debug"), "preset");
  const fs::path to = test::temporary_dir("unfinished");
  {
    HuggingFaceSink sink({.directory = to}, model, stored_as(parameter_table(model), DType::f32));
    const std::vector<float> norm(64, 1.0f);
    sink.write("head.norm.weight", DType::f32, std::as_bytes(std::span(norm)));
    EXPECT_THROW(sink.write("head.norm.weight", DType::f32, std::as_bytes(std::span(norm))),
                 std::logic_error);
    const std::string e = test::error_of([&] { sink.finish(); });
    EXPECT_HAS(e, "34 tensors were never written");
    EXPECT_HAS(e, "layers.3.attn.qkv.weight");
  }
  EXPECT_TRUE(fs::is_empty(to));  // an export that did not finish leaves nothing
}

TEST(Targets, ThatHoldAModelAreKeptUnlessToldOtherwise) {
  const fs::path to = test::temporary_dir("occupied");
  ConvertOptions o = options(golden("qwen3_untied"), to);
  o.max_shard_bytes = 100'000;
  convert_model(o);
  o.load_dir = golden("llama_tied");
  EXPECT_HAS(test::error_of([&] { convert_model(o); }),
             "already holds a model (config.json, model-00001-of-00004.safetensors");
  EXPECT_EQ(test::model_at(to).family, "qwen3");
  o.overwrite = true;
  o.max_shard_bytes = 1 << 30;
  convert_model(o);
  EXPECT_EQ(read_file(to / "model.safetensors"), read_file(golden("llama_tied") / "model.safetensors"));
  EXPECT_FALSE(fs::exists(to / "model.safetensors.index.json"));
  EXPECT_FALSE(fs::exists(to / "model-00001-of-00004.safetensors"));
  const fs::path itself = test::copy_of_golden("qwen2");
  EXPECT_HAS(test::error_of([&] { convert_model(options(itself, itself)); }), "qwen2");
}

// A model leaves with the tokenizer that it was trained with, not with the one it came with.
TEST(SideFiles, CarryTheTokenizerOfTheRun) {
  const fs::path own = test::copy_of_golden("qwen3_untied");
  write_file_atomic(own / "tokenizer.json", "{}");
  write_file_atomic(own / "vocab.json", "{}");
  const ModelSpec model = test::model_at(own);
  const fs::path other = fs::path(test::golden_dir()) / "tokenizers" / "smollm2";
  const auto kept = side_files({own, own}, model, DType::f32);
  EXPECT_EQ(kept.at("tokenizer.json"), "{}");
  const auto files = side_files({own, other}, model, DType::f32);
  EXPECT_EQ(files.at("tokenizer.json"), read_file(other / "tokenizer.json"));
  EXPECT_FALSE(files.contains("vocab.json"));
  EXPECT_EQ(files.at("config.json"), read_file(own / "config.json"));
  const auto of_flags = side_files({{}, other}, model, DType::f32);
  EXPECT_EQ(of_flags.at("tokenizer.json"), read_file(other / "tokenizer.json"));
  EXPECT_TRUE(of_flags.contains("config.json"));
}

TEST(Exports, RefuseTheConfigOfAnotherModel) {
  const ModelSpec model = models::model_from_config(models::preset_config("qwen3:debug"), "preset");
  const std::string e = test::error_of([&] {
    HuggingFaceSink({.directory = test::temporary_dir("other"), .from = {golden("qwen3_untied")}}, model,
                    stored_as(parameter_table(model), DType::f32));
  });
  EXPECT_HAS(e, "\"head_dim\" is 24 there and 32 in the model to export");
}

TEST(Convert, RefusesMegatronsLayoutAndWrongTypesWithTheReason) {
  ConvertOptions o = options(golden("qwen3_tied"), test::temporary_dir("mg"));
  o.save_type = "mg";
  EXPECT_HAS(test::error_of([&] { convert_model(o); }),
             "--save-model-type mg: Megatron's weight layout is not available");
  o.save_type = "gguf";
  EXPECT_HAS(test::error_of([&] { convert_model(o); }), "only hf can be written");
  o.save_type = "hf";
  o.load_type = "mg";
  EXPECT_HAS(test::error_of([&] { convert_model(o); }),
             "--load-model-type mg: Megatron's weight layout is not available");
  o.load_type = "native";
  EXPECT_HAS(test::error_of([&] { convert_model(o); }), "qwen3_tied is of type hf");
  o.load_type = "hf";
  o.model_type_hf = "llama2";
  EXPECT_HAS(test::error_of([&] { convert_model(o); }), "means the llama family");
  o.model_type_hf = "qwen3";
  EXPECT_EQ(convert_model(o).family, "qwen3");
}

}  // namespace
}  // namespace mindspeed
