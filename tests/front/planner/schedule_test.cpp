// Steps, fractions and defaults resolved to samples; data and checkpoint paths checked.
#include "tests/front/planner/planning.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::expect_contains;
using test::plan_line;
using test::plan_words;
using test::refusal_line;
using test::refusal_of;

std::vector<std::string> words(const std::string& text) { return test::words_of("--preset debug " + text); }

TEST(Schedule, StepsBecomeSamples) {
  const Plan plan =
      plan_words(words("--mock-data --train-iters 2000 --lr 1.25e-6 --min-lr 1.25e-7 --global-batch-size 64 "
                       "--lr-decay-style cosine --lr-warmup-fraction 0.01"))
          .plan;
  EXPECT_EQ(plan.batch.steps, 2000);
  EXPECT_EQ(plan.lr.decay_samples, 128000);
  EXPECT_EQ(plan.lr.warmup_samples, 1280.0);
  EXPECT_EQ(plan.lr.weight_decay_samples, 128000);
  EXPECT_EQ(plan.lr.end_weight_decay, 0.01);
  const Plan iters =
      plan_line("--preset debug --global-batch-size 4 --lr-decay-iters 8 --lr-warmup-iters 3").plan;
  EXPECT_EQ(iters.lr.decay_samples, 32);
  EXPECT_EQ(iters.lr.warmup_samples, 12.0);
}

TEST(Schedule, AGrowingBatchCountsItsSteps) {
  const Plan plan = plan_words(words("--mock-data --train-samples 30 --lr 1e-3 --global-batch-size 8 "
                                     "--rampup-batch-size 2 2 12"))
                        .plan;
  EXPECT_EQ(plan.batch.rampup.start, 2);
  EXPECT_EQ(plan.batch.steps, 6);
  EXPECT_EQ(plan.lr.decay_samples, 30);
  const auto refused = [](const std::string& flags) {
    return refusal_of(words("--mock-data --lr 1e-3 --global-batch-size 8 " + flags));
  };
  expect_contains(refused("--train-iters 5 --rampup-batch-size 2 2 12"), "it came with --train-iters");
  expect_contains(refused("--train-samples 30 --rampup-batch-size 2 2"), "2 numbers came; three were needed");
  expect_contains(refused("--train-samples 30 --rampup-batch-size 2 x 12"), "'x' came");
  expect_contains(refused("--train-samples 30 --rampup-batch-size 2 4 12"), "in whole increments");
  expect_contains(refused("--train-samples 30 --rampup-batch-size 8 2 12"), "in whole increments");
  expect_contains(refused("--train-samples 30 --rampup-batch-size 3 1 12 --micro-batch-size 2"),
                  "multiples of");
}

TEST(Schedule, RunsMayBeCountedInSamples) {
  const Plan plan = plan_words(words("--mock-data --train-samples 1003 --lr 1e-3 --global-batch-size 10 "
                                     "--lr-warmup-samples 50"))
                        .plan;
  EXPECT_EQ(plan.batch.steps, 100);
  EXPECT_EQ(plan.lr.decay_samples, 1003);
  EXPECT_EQ(plan.lr.warmup_samples, 50.0);
  expect_contains(refusal_of(words("--mock-data --train-samples 100 --lr 1 --lr-warmup-iters 5")),
                  "use --lr-warmup-samples");
  expect_contains(refusal_line("--preset debug --train-samples 5"), "both came; exactly one");
  expect_contains(refusal_of(words("--mock-data --lr 1")), "neither came; exactly one");
}

TEST(Schedule, ContradictionsAreRefused) {
  expect_contains(refusal_of(words("--mock-data --train-iters 5")), "no learning rate came");
  expect_contains(refusal_line("--preset debug --min-lr 1"), "1 came; at most --lr 0.001 was needed");
  expect_contains(refusal_line("--preset debug --lr-warmup-iters 10"),
                  "less than the decay length of 10 samples");
  expect_contains(refusal_line("--preset debug --lr-warmup-iters 2 --lr-warmup-fraction 0.1"),
                  "give one of the two");
  expect_contains(refusal_line("--preset debug --lr-decay-style WSD"), "--lr-wsd-decay-iters");
  expect_contains(refusal_line("--preset debug --lr-wsd-decay-iters 2"), "which has an effect only with WSD");
  expect_contains(refusal_line("--preset debug --start-weight-decay 0.1"), "use linear or cosine");
  expect_contains(refusal_line("--preset debug --optimizer muon"), "muon is not built yet");
  EXPECT_EQ(plan_line("--preset debug --lr-decay-style WSD --lr-wsd-decay-iters 2").plan.lr.wsd_decay_samples,
            2);
}

TEST(Data, PathsMustExistAndBlendsArePairs) {
  const std::string folder = test::temporary_dir("data");
  for (const char* name : {"/a.bin", "/a.idx", "/b.bin", "/b.idx", "/raw.jsonl"})
    write_file_atomic(folder + name, "x");
  const std::string run = "--train-iters 1 --lr 1 ";
  const Plan plan = plan_words(words(run + "--data-path 0.3 " + folder + "/a 0.7 " + folder + "/b")).plan;
  EXPECT_EQ(plan.data.weights, (std::vector<double>{0.3, 0.7}));
  EXPECT_EQ(plan.data.paths[1], folder + "/b");
  EXPECT_TRUE(plan_words(words(run + "--data-path " + folder + "/a")).plan.data.weights.empty());
  expect_contains(refusal_of(words(run + "--data-path " + folder + "/c")), "/c.bin does not exist");
  // Several without weights: each has the share of its size, as in Megatron.
  const DataPlan by_size = plan_words(words(run + "--data-path " + folder + "/a " + folder + "/b")).plan.data;
  EXPECT_TRUE(by_size.weights.empty());
  EXPECT_EQ(by_size.paths.size(), 2u);
  expect_contains(refusal_of(words(run + "--data-path 0.5 " + folder + "/a 0.5")),
                  "pairs of weight and prefix");
  expect_contains(refusal_of(words(run)), "no data came");
  expect_contains(refusal_line("--preset debug --split 0,1,1"), "the first > 0");
}

TEST(Data, TextIsTokenisedAtStartUpWithTheFlagsOfPreprocess) {
  const std::string folder = test::temporary_dir("raw"), tokenizer = folder + "/tokenizer";
  write_file_atomic(folder + "/raw.jsonl", "{}");
  make_folder(tokenizer);
  const std::string run = "--train-iters 1 --lr 1 --data-path " + folder + "/raw.jsonl ";
  expect_contains(refusal_of(words(run)), "is text and must be tokenised");
  const std::string named = run + "--tokenizer-name-or-path " + tokenizer + " ";
  const Planned planned =
      plan_words(words(named + "--append-eod --workers 3 --json-keys body --on-error skip"));
  EXPECT_EQ(planned.plan.data.raw.key, "body");
  EXPECT_TRUE(planned.plan.data.raw.append_eod && planned.plan.data.raw.skip_errors);
  EXPECT_EQ(planned.plan.data.raw.workers, 3);
  EXPECT_NE(join(planned.notes, "\n").find(folder + "/mindspeed_cache"), std::string::npos);
  expect_contains(refusal_of(words(named + "--json-keys a b")), "2 keys came");
  expect_contains(refusal_of(words(named + "--handler-name AlpacaStyleInstructionHandler")),
                  "only GeneralPretrainHandler is built so far");
  expect_contains(refusal_of(words("--train-iters 1 --lr 1 --data-path " + folder + "/*.csv")),
                  "no file matches");
}

TEST(Evaluation, NeedsHeldOutDataAndMayBeTheOnlyWork) {
  EXPECT_EQ(plan_line("--preset debug --eval-interval 7").plan.eval.interval, 7);
  EXPECT_EQ(plan_line("--preset debug --eval-iters 0").plan.eval.interval, 0);
  EXPECT_TRUE(plan_line("--preset debug --skip-train").plan.run.skip_train);
  expect_contains(refusal_line("--preset debug --skip-train --eval-iters 0"), "nothing is left to do");
}

TEST(Checkpoint, ALoadThatNamesNothingIsRefusedUnlessTheRunSavesThere) {
  const std::string folder = test::temporary_dir("load_missing");
  expect_contains(refusal_line("--preset debug --load " + folder + "/typo --save " + folder + "/out"),
                  "holds no complete checkpoint; correct the path");
  EXPECT_EQ(plan_line("--preset debug --load " + folder + "/out/ --save " + folder + "/out").notes.size(),
            1u);
  write_file_atomic(folder + "/file", "x");
  expect_contains(refusal_line("--preset debug --load " + folder + "/file --save " + folder + "/file"),
                  "a folder of checkpoints was needed");
}

TEST(Checkpoint, LoadingFromAnEmptyFolderIsSaidOrRefused) {
  const std::string folder = test::temporary_dir("load");
  const Planned planned =
      plan_line("--preset debug --load " + folder + " --save " + folder + " --save-interval 5");
  EXPECT_EQ(planned.plan.checkpoint.load, folder);
  ASSERT_EQ(planned.notes.size(), 1u);
  expect_contains(planned.notes[0], "holds no checkpoint yet; starting with random weights");
  expect_contains(refusal_line("--preset debug --exit-on-missing-checkpoint --load " + folder),
                  "holds no complete checkpoint");
  write_file_atomic(folder + "/latest_checkpointed_iteration.txt", "5");
  EXPECT_TRUE(plan_line("--preset debug --exit-on-missing-checkpoint --load " + folder).notes.empty());
  const CheckpointPlan fresh = plan_line("--preset debug --finetune --load " + folder).plan.checkpoint;
  EXPECT_FALSE(fresh.load_optimizer);
  EXPECT_FALSE(fresh.load_rng);
}

}  // namespace
}  // namespace mindspeed
