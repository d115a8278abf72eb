// What the command line accepts, and what it says about mistakes.
#include "front/config/command_line.h"

#include <gtest/gtest.h>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

Settings parse(const std::string& words) { return parse_settings(kPretrain, split(words, ' ')); }

// The message of the refusal of these words, checked to be a usage error.
std::string refusal(const std::string& words) {
  try {
    parse(words);
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    return e.what();
  }
  ADD_FAILURE() << "accepted: " << words;
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST(CommandLine, DefaultsAreMegatrons) {
  const Settings s = parse_settings(kPretrain, {});
  EXPECT_EQ(s.text("lr-decay-style"), "linear");
  EXPECT_EQ(s.real("adam-beta1"), 0.9);
  EXPECT_EQ(s.real("adam-beta2"), 0.999);
  EXPECT_EQ(s.real("adam-eps"), 1e-8);
  EXPECT_EQ(s.real("weight-decay"), 0.01);
  EXPECT_EQ(s.real("clip-grad"), 1.0);
  EXPECT_EQ(s.real("init-method-std"), 0.02);
  EXPECT_EQ(s.integer("seed"), 1234);
  EXPECT_EQ(s.integer("log-interval"), 100);
  EXPECT_EQ(s.integer("eval-iters"), 100);
  EXPECT_EQ(s.integer("eval-interval"), 1000);
  EXPECT_EQ(s.integer("make-vocab-size-divisible-by"), 128);
  EXPECT_FALSE(s.has("lr"));
  EXPECT_FALSE(s.flag("bf16"));
}

TEST(CommandLine, ValuesComeAfterASpaceOrAnEqualsSign) {
  const Settings s = parse(
      "--lr 1.25e-6 --min-lr=1.25e-7 --num-layers=28 --coc-mode -1 --bf16 --spec a.b.qwen3_spec layer_spec");
  EXPECT_EQ(s.real("lr"), 1.25e-6);
  EXPECT_EQ(s.real("min-lr"), 1.25e-7);
  EXPECT_EQ(s.integer("num-layers"), 28);
  EXPECT_EQ(s.integer("coc-mode"), -1);
  EXPECT_TRUE(s.flag("bf16"));
  EXPECT_EQ(s.list("spec"), (std::vector<std::string>{"a.b.qwen3_spec", "layer_spec"}));
  EXPECT_TRUE(s.given("lr"));
  EXPECT_FALSE(s.given("seed"));
}

TEST(CommandLine, ASwitchCanBeNegated) {
  EXPECT_FALSE(parse("--no-bf16").flag("bf16"));
  EXPECT_FALSE(parse("--bf16=false").flag("bf16"));
  EXPECT_TRUE(parse("--no-load-optim").flag("no-load-optim"));
  expect_contains(refusal("--no-lr"), "unknown flag --no-lr");
}

TEST(CommandLine, UnderscoresAndOldNamesMeanTheSameField) {
  EXPECT_EQ(parse("--lr_decay_style cosine").text("lr-decay-style"), "cosine");
  EXPECT_EQ(parse("--moe-intermediate-size 768").integer("moe-ffn-hidden-size"), 768);
  EXPECT_TRUE(parse("--use-deter-comp").flag("npu-deterministic"));
  EXPECT_TRUE(parse("--use-mc2").flag("use-ascend-mc2"));
  EXPECT_TRUE(parse("--multi-head-latent-attention").flag("multi-latent-attention"));
  expect_contains(refusal("--topk-group 0"), "an integer >= 1 was needed");
}

TEST(CommandLine, AMisspeltFlagIsRefusedWithTheNearestName) {
  expect_contains(refusal("--num-layrs 4"), "unknown flag --num-layrs; did you mean --num-layers?");
  expect_contains(refusal("--lr-decay-stile cosine"), "did you mean --lr-decay-style?");
  expect_contains(refusal("--golbal-batch-size 4"), "did you mean --global-batch-size?");
  expect_contains(refusal("--xyzzyxyzzy 1"), "help --all-flags");
}

TEST(CommandLine, TheSameFlagTwiceMustAgree) {
  EXPECT_EQ(parse("--seed 42 --bf16 --seed 42 --bf16").integer("seed"), 42);
  EXPECT_EQ(parse("--lr 1e-5 --lr 0.00001").real("lr"), 1e-5);
  expect_contains(refusal("--lr 1e-5 --lr 1e-4"), "--lr came twice, as '1e-5' and as '1e-4'");
  expect_contains(refusal("--bf16 --no-bf16"), "--bf16 came twice");
}

TEST(CommandLine, WrongValuesNameTheFlagWhatCameAndWhatWasNeeded) {
  expect_contains(refusal("--seq-length abc"), "[--seq-length] 'abc' came; an integer >= 1 was needed");
  expect_contains(refusal("--lr -1e-5"), "[--lr] '-1e-5' came; a number > 0 was needed");
  expect_contains(refusal("--num-layers 2.5"), "an integer >= 1 was needed");
  expect_contains(refusal("--lr nan"), "a number > 0 was needed");
  expect_contains(refusal("--attention-dropout 1.5"), "a number from 0 to 1 was needed");
  expect_contains(refusal("--lr-decay-style cosin"), "did you mean cosine?");
  expect_contains(refusal("--num-layers"), "[--num-layers] no value came");
  expect_contains(refusal("--lr --bf16"), "[--lr] no value came");
  expect_contains(refusal("--bf16=maybe"), "a switch takes no value");
}

TEST(CommandLine, ValuesThatWouldOverflowOrAreEmptyAreRefused) {
  expect_contains(refusal("--micro-batch-size 4294967297"),
                  "'4294967297' came; at most 2147483647 is possible");
  expect_contains(refusal("--padded-vocab-size 9223372036854775807"), "at most 2147483647 is possible");
  EXPECT_EQ(parse("--seed 9007199254740993").integer("seed"), 9007199254740993);
  EXPECT_EQ(parse("--train-samples 30000000000").integer("train-samples"), 30000000000);
  expect_contains(refusal("--threads 99999"), "an integer from 0 to 1024 was needed");
  expect_contains(refusal("--save="), "[--save] an empty value came (an unset variable?)");
}

TEST(CommandLine, AStrayWordIsRefused) {
  expect_contains(refusal("--load my folder"), "the word 'folder' after --load belongs to no flag");
  expect_contains(refusal("qwen3.sh"), "the word 'qwen3.sh' belongs to no flag");
  expect_contains(refusal("-x"), "the word '-x' belongs to no flag");
}

TEST(CommandLine, ARefusedFlagStopsWithItsReasonUnlessItIsOff) {
  require_no_refused(parse("--context-parallel-size 1 --moe-zero-memory disable --mtp-num-layers 0"));
  try {
    require_no_refused(parse("--context-parallel-size 2"));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    expect_contains(e.what(),
                    "[--context-parallel-size] '2' came and cannot be honoured: context parallelism");
  }
  EXPECT_THROW(require_no_refused(parse("--fp8-format e4m3")), Error);
  EXPECT_THROW(require_no_refused(parse("--num-layer-list 4,4,6")), Error);
}

TEST(CommandLine, AFieldOfAnotherCommandIsUnknown) {
  EXPECT_EQ(parse_settings(kPreprocess, split("--workers 4 --input a b", ' ')).list("input").size(), 2u);
  try {
    parse_settings(kPreprocess, split("--lr 1e-5", ' '));
    FAIL() << "accepted";
  } catch (const Error& e) {
    expect_contains(e.what(), "--lr belongs to another command (pretrain)");
  }
  EXPECT_THROW(parse_settings(kPretrain, split("--input a", ' ')), Error);
}

}  // namespace
}  // namespace mindspeed
