// Impossible shapes are refused with the numbers and the legal values; possible ones are placed.
#include "tests/front/planner/planning.h"

namespace mindspeed {
namespace {

using test::expect_contains;
using test::plan_line;
using test::refusal_line;

// 28 heads, 4 key/value heads, 28 layers: the shape of Qwen2-7B.
constexpr const char* kQwen7 =
    "--num-layers 28 --hidden-size 3584 --num-attention-heads 28 --group-query-attention --num-query-groups "
    "4 "
    "--ffn-hidden-size 18944 --vocab-size 152064 --position-embedding-type rope --normalization RMSNorm "
    "--swiglu "
    "--disable-bias-linear --add-qkv-bias --max-position-embeddings 32768 --seq-length 4096 ";

TEST(Shapes, HeadsThatDoNotDivideListTheLegalSizes) {
  expect_contains(
      refusal_line(std::string(kQwen7) + "--tensor-model-parallel-size 8", 8),
      "8 came; the model has 28 attention heads, which divide by 1, 2, 4, 7, 14, 28; a size that fits all of "
      "the model is one of 1, 2, 4");
  expect_contains(refusal_line(std::string(kQwen7) + "--tensor-model-parallel-size 7", 7),
                  "4 key/value heads");
  EXPECT_EQ(plan_line(std::string(kQwen7) + "--tensor-model-parallel-size 4", 4).plan.mesh.tp, 4);
}

TEST(Shapes, LayersDivideOverStagesOrAreRefusedWithTheThreeNumbers) {
  const Plan plan = plan_line(std::string(kQwen7) + "--pipeline-model-parallel-size 4", 4).plan;
  ASSERT_EQ(plan.placement.size(), 4u);
  EXPECT_EQ(plan.placement[2].first_layer, 14);
  EXPECT_EQ(plan.placement[2].layers, 7);
  EXPECT_TRUE(plan.placement[0].embedding);
  EXPECT_FALSE(plan.placement[0].head);
  EXPECT_TRUE(plan.placement[3].head);
  expect_contains(refusal_line(std::string(kQwen7) + "--pipeline-model-parallel-size 8", 8),
                  "28 layers over 8 stages leave 4 over; use one of 1, 2, 4, 7, 14, 28");
}

TEST(Shapes, TheGlobalBatchIsAMultipleOfMicroBatchTimesDataParallel) {
  const Plan plan = plan_line("--preset debug --micro-batch-size 2 --global-batch-size 16", 4).plan;
  EXPECT_EQ(plan.mesh.dp, 4);
  EXPECT_EQ(plan.batch.micro_batches, 2);
  EXPECT_EQ(plan_line("--preset debug --micro-batch-size 3", 2).plan.batch.global, 6);
  expect_contains(refusal_line("--preset debug --micro-batch-size 2 --global-batch-size 20", 4),
                  "20 came; a multiple of micro-batch-size 2 x data parallel 4 = 8 was needed, as 16 or 24");
}

TEST(Shapes, TheWorldIsAMultipleOfOneCopyOfTheModel) {
  expect_contains(
      refusal_line("--preset debug --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2", 6),
      "6 ranks came; tensor 2 x context 1 x pipeline 2 = 4 ranks hold one copy of the model, so a multiple "
      "of 4");
  expect_contains(refusal_line("--preset debug --tensor-model-parallel-size 2"),
                  "mindspeed launch --nproc 2");
  EXPECT_EQ(plan_line("--preset debug --tensor-model-parallel-size 2 --dry-run").plan.mesh.world(), 2);
  EXPECT_EQ(plan_line("--preset debug --tensor-model-parallel-size 2 --dry-run --world-size 8").plan.mesh.dp,
            4);
  expect_contains(refusal_line("--preset debug --world-size 8"), "--dry-run");
}

TEST(Shapes, SequencesFitTheModel) {
  EXPECT_EQ(plan_line("--preset debug").plan.batch.sequence, 512);
  expect_contains(refusal_line("--preset debug --seq-length 513"),
                  "513 tokens came; the model is made for at most 512");
  expect_contains(
      refusal_line("--preset debug --seq-length 33 --sequence-parallel --tensor-model-parallel-size 2", 2),
      "sequences of 33 tokens do not divide over tensor-model-parallel-size 2");
}

TEST(Shapes, VocabularyIsPaddedAsMegatronDoes) {
  const std::string model =
      "--num-layers 2 --hidden-size 64 --num-attention-heads 8 --ffn-hidden-size 128 --vocab-size 50257 "
      "--position-embedding-type rope --normalization RMSNorm --swiglu --disable-bias-linear --seq-length "
      "64 ";
  const std::pair<int, int64_t> expected[] = {{1, 50304}, {2, 50432}, {4, 50688}, {8, 51200}};
  for (const auto& [tp, rows] : expected)
    EXPECT_EQ(plan_line(model + "--tensor-model-parallel-size " + std::to_string(tp), tp).plan.padded_vocab,
              rows);
  expect_contains(refusal_line(model + "--padded-vocab-size 50000"), "at least the vocabulary of 50257");
  expect_contains(refusal_line(model + "--padded-vocab-size 50432 --make-vocab-size-divisible-by 128"),
                  "x TP 1 is 50304");
  EXPECT_EQ(plan_line(model + "--padded-vocab-size 50688").plan.padded_vocab, 50688);
}

TEST(Shapes, FeaturesEditThePlan) {
  const Plan plain = plan_line("--preset debug").plan;
  EXPECT_EQ(plain.precision.parameters, DType::f32);
  EXPECT_EQ(plain.recompute.granularity, Recompute::none);
  EXPECT_FALSE(plain.optimizer.sharded);
  const Plan plan =
      plan_line(
          "--preset debug --bf16 --sequence-parallel --tensor-model-parallel-size 2 "
          "--use-distributed-optimizer "
          "--recompute-granularity full --recompute-method block --recompute-num-layers 2 --eod-mask-loss",
          4)
          .plan;
  EXPECT_EQ(plan.precision.parameters, DType::bf16);
  EXPECT_TRUE(plan.mesh.sequence_parallel);
  EXPECT_TRUE(plan.optimizer.sharded);
  EXPECT_EQ(plan.recompute.method, "block");
  EXPECT_EQ(plan.recompute.layers, 2);
  EXPECT_TRUE(plan.data.eod_mask_loss);
  expect_contains(refusal_line("--preset debug --recompute-method uniform"),
                  "it has an effect only with full");
  expect_contains(refusal_line("--preset debug --recompute-granularity full --recompute-num-layers 5"),
                  "a stage has 4 layers");
}

TEST(Shapes, ASwitchWithoutEffectIsSaid) {
  const Planned planned = plan_line("--preset debug --sequence-parallel --recompute-granularity selective");
  EXPECT_FALSE(planned.plan.mesh.sequence_parallel);
  ASSERT_EQ(planned.notes.size(), 2u);
  expect_contains(planned.notes[0], "nothing to cut at tensor-model-parallel-size 1");
  expect_contains(planned.notes[1], "nothing is recomputed");
}

}  // namespace
}  // namespace mindspeed
