// Where the model comes from, and that flags never contradict it.
#include <variant>

#include "tests/front/planner/planning.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::expect_contains;
using test::plan_line;
using test::refusal_line;

std::string golden(const std::string& name) { return "--model " + test::golden_dir() + "/hf/" + name + " "; }

constexpr const char* kFlags =
    "--num-layers 4 --hidden-size 64 --num-attention-heads 4 --group-query-attention --num-query-groups 2 "
    "--kv-channels 32 "
    "--ffn-hidden-size 96 --vocab-size 256 --position-embedding-type rope --normalization RMSNorm "
    "--norm-epsilon 1e-6 "
    "--rotary-base 1000000 --swiglu --disable-bias-linear --qk-layernorm --max-position-embeddings 512 "
    "--untie-embeddings-and-output-weights ";

TEST(ModelChoice, FlagsAndThePresetOfTheSameShapeGiveTheSameParameters) {
  const Plan flags = plan_line(kFlags).plan;
  const Plan preset = plan_line("--preset debug").plan;
  EXPECT_EQ(flags.model.family, "qwen3");
  ASSERT_EQ(flags.parameters.size(), preset.parameters.size());
  for (size_t i = 0; i < flags.parameters.size(); ++i) {
    EXPECT_EQ(flags.parameters[i].name, preset.parameters[i].name);
    EXPECT_EQ(flags.parameters[i].shape, preset.parameters[i].shape);
  }
  EXPECT_EQ(total_elements(plan_line("--preset qwen3-0.6b").plan.parameters),
            596049920);  // of the released model
}

TEST(ModelChoice, FlagsThatContradictThePresetAreRefusedWithBothValues) {
  EXPECT_EQ(plan_line(std::string("--preset debug ") + kFlags).plan.model.layers.size(), 4u);
  expect_contains(refusal_line("--preset debug --num-layers 5"),
                  "[--num-layers] 5 came, but preset debug says 4");
  expect_contains(refusal_line("--preset debug --norm-epsilon 1e-5"),
                  "1e-5 came, but preset debug says 1e-06");
  expect_contains(refusal_line("--preset debug --rotary-base 10000"), "says 1000000");
  expect_contains(refusal_line("--preset debug --rope-scaling-factor 2"),
                  "2 came, but preset debug says none");
  expect_contains(refusal_line("--preset debug --add-qkv-bias"), "true came, but preset debug says false");
  expect_contains(refusal_line("--preset debug --model-type-hf llama"), "is a qwen3 model");
}

TEST(ModelChoice, ACheckpointNamesItsModelAndTheRecordHoldsInAnyFolder) {
  const std::string folder = test::temporary_dir("checkpoint_model");
  write_file_atomic(folder + "/latest_checkpointed_iteration.txt", "5");
  PlannerInputs inputs = test::inputs_for(1);
  CheckpointModel saved{"", "debug"};
  inputs.checkpoint_model = [&](const fs::path&) { return saved; };
  const auto plan = [&](const std::string& more) {
    return make_plan(
               parse_settings(kPretrain, test::words_of("--mock-data --train-iters 10 --lr 1e-3 --load " +
                                                        folder + " " + more)),
               inputs)
        .plan;
  };
  EXPECT_EQ(plan("").model.layers.size(), 4u);
  EXPECT_EQ(plan("").resolved.at("preset"), "debug");
  saved = {test::golden_dir() + "/hf/../hf/qwen3_tied", ""};
  EXPECT_TRUE(plan("").model.head.tied);
  EXPECT_EQ(plan("").weights, "");  // they come from the checkpoint
  EXPECT_EQ(plan("").resolved.at("model"), test::golden_dir() + "/hf/qwen3_tied");
  saved = {"gone/away", ""};
  EXPECT_THROW(plan(""), Error);
  EXPECT_TRUE(plan("--hf-cfg-dir " + test::golden_dir() + "/hf/qwen3_tied").model.head.tied);
  expect_contains(refusal_line("--model " + folder), "is a folder of checkpoints; give it with --load");
}

TEST(ModelChoice, AHuggingFaceFolderIsReadAndCompared) {
  const Plan plan = plan_line(golden("qwen3_tied")).plan;
  EXPECT_EQ(plan.model.family, "qwen3");
  EXPECT_TRUE(plan.model.head.tied);
  EXPECT_EQ(plan.weights, test::golden_dir() + "/hf/qwen3_tied");
  EXPECT_EQ(plan_line(golden("qwen3_tied") + "--random-init").plan.weights, "");
  expect_contains(refusal_line(golden("qwen3_tied") + "--untie-embeddings-and-output-weights"),
                  "config.json says false");
  expect_contains(refusal_line(golden("qwen3_tied") + "--preset debug"),
                  "--model and --preset came together");
  expect_contains(refusal_line("--model /nonexistent"), "'/nonexistent' does not exist");
}

TEST(ModelChoice, TheLoadFolderMayBeAHuggingFaceFolder) {
  const std::string folder = test::golden_dir() + "/hf/qwen3_untied";
  const Plan plan = plan_line("--load " + folder + " --enable-hf2mg-convert --model-type-hf qwen3").plan;
  EXPECT_EQ(plan.weights, folder);
  EXPECT_EQ(plan.checkpoint.load, "");
  EXPECT_EQ(plan_line("--load " + folder).plan.weights, folder);  // seen by its files
}

TEST(ModelChoice, SwitchesThatTheFamilyNeedsMayNotBeMissing) {
  const std::string flags(kFlags);
  const std::string spec = "--spec mindspeed_llm.tasks.models.spec.qwen3_spec ";
  const auto without = [&](const std::string& flag) {
    std::string text = flags;
    text.erase(text.find(flag), flag.size() + 1);
    return spec + text;
  };
  EXPECT_EQ(plan_line(spec + flags).plan.model.family, "qwen3");
  expect_contains(refusal_line(without("--qk-layernorm")),
                  "[--qk-layernorm] false is the default, but this model family says true");
  expect_contains(refusal_line(without("--swiglu")), "[--swiglu]");
  expect_contains(refusal_line(without("--normalization RMSNorm")), "LayerNorm is the default");
  expect_contains(refusal_line(without("--position-embedding-type rope")), "rope was needed");
  expect_contains(refusal_line(without("--vocab-size 256")), "--padded-vocab-size is missing");
  expect_contains(refusal_line(without("--group-query-attention")),
                  "it came without --group-query-attention");
  expect_contains(refusal_line("--seq-length 8"), "no model came");
}

TEST(ModelChoice, DropoutComesFromTheModelUnlessGiven) {
  EXPECT_EQ(plan_line("--preset debug").plan.model.hidden_dropout, 0.0);
  const ModelSpec model = plan_line("--preset debug --hidden-dropout 0.1 --attention-dropout 0.2").plan.model;
  EXPECT_EQ(model.hidden_dropout, 0.1);
  EXPECT_EQ(std::get<AttentionSpec>(model.layers[3].branches[0].op).dropout, 0.2);
  EXPECT_EQ(plan_line("--preset debug --init-method-std 0.01").plan.model.init_std, 0.01);
}

}  // namespace
}  // namespace mindspeed
