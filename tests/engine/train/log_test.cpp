#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/log/flops.h"
#include "engine/train/log/history.h"
#include "engine/train/log/process_memory.h"
#include "engine/train/log/train_log.h"
#include "front/base/file.h"
#include "front/base/text.h"
#include "tests/support/debug_run.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

TEST(TrainLog, TheIterationLineHasMindSpeedsFieldsInTheirOrder) {
  Plan plan = test::debug_plan();
  IntervalLine line;
  line.last.iteration = 3;
  line.last.global_batch = 6;
  line.last.consumed_samples = 18;
  line.last.next_learning_rate = 1.249437e-6;
  line.last.gradient_norm = 44.5764;
  line.last.resident_mb = 512.25;
  line.mean_loss = 3.055799;
  line.milliseconds = 5609.44;
  EXPECT_EQ(interval_line(plan, line, "2026-11-30 12:00:00"),
            " [2026-11-30 12:00:00] iteration        3/      20 | consumed samples:           18 | elapsed "
            "time per "
            "iteration (ms): 5609.4 | learning rate: 1.249437E-06 | global batch size:     6 | lm loss: "
            "3.055799E+00 | "
            "loss scale: 1.0 | grad norm: 44.576 | number of skipped iterations:   0 | number of nan "
            "iterations:   0 | "
            "tokens/s: 34.2 | memory (MB): 512.2 |");
}

TEST(TrainLog, TheValidationLineIsFramedAndGivesThePerplexity) {
  const std::string dashes(94, '-');  // one more than the line, as Megatron's len(string) + 1
  EXPECT_EQ(evaluation_lines(10, std::log(2.0)), dashes +
                                                     "\n validation loss at iteration 10 | lm loss value: "
                                                     "6.931472E-01 | lm loss PPL: 2.000000E+00 | \n" +
                                                     dashes);
}

TEST(TrainLog, TheTheoreticalReportAgreesWithThePublishedOneOfQwen3_8B) {
  // Published with MindSpeed-LLM's Qwen3-8B script at PP2, bf16: 18 bytes a parameter on the most loaded
  // shard.
  Plan plan = test::debug_plan();
  ModelSpec model = plan.model;
  model.hidden = 4096;
  model.vocab = 151936;
  model.head.tied = false;
  model.layers.assign(36, model.layers.front());
  for (LayerSpec& layer : model.layers) {
    auto& attention = std::get<AttentionSpec>(layer.branches[0].op);
    attention.heads = 32;
    attention.kv_heads = 8;
    attention.head_dim = 128;
    std::get<DenseSpec>(layer.branches[1].op).ffn = 12288;
  }
  plan.model = model;
  plan.parameters = parameter_table(model);
  plan.mesh.pp = 2;
  plan.placement = {{0, 0, 0, 18, true, false}, {1, 0, 18, 18, false, true}};
  plan.precision.parameters = DType::bf16;
  const std::string text = theoretical_report(plan);
  EXPECT_NE(text.find("transformer block in billions:  6.95\n"), std::string::npos) << text;
  EXPECT_NE(text.find("embedding layers in billions: 1.24\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Total number of parameters in billions: 8.19\n"), std::string::npos) << text;
  EXPECT_NE(text.find("most loaded shard in billions: 4.0954\n"), std::string::npos) << text;
}

TEST(Flops, FollowThePublishedFormula) {
  // B S [12 H L ffn 1.5 + 12 L H^2 (1 + g/h + S/H / 2) (d h / H) + 6 H V]
  const Plan plan = test::debug_plan();
  const double h = 64, layers = 4, ffn = 96, heads = 4, groups = 2, d = 32, v = 256, s = 32, b = 6;
  const double expected =
      b * s *
      (12 * h * layers * ffn * 1.5 +
       12 * layers * h * h * (1 + groups / heads + s / h * 0.5) * (d * heads / h) + 6 * h * v);
  const StepFlops flops = step_flops(plan.model, 6, 32);
  EXPECT_NEAR(flops.total, expected, 1e-9 * expected);
  EXPECT_NEAR(flops.core_attention, b * s * 12 * layers * h * s * 0.5 * (d * heads / h), 1.0);
}

TEST(History, AResumeDropsTheRecordOfLaterStepsAndKeepsTheCurve) {
  const std::string folder = test::temporary_dir("history");
  LogPlan plan;
  plan.jsonl = folder + "/log/run.jsonl";
  plan.curve_svg = folder + "/loss.svg";
  {
    History history(plan, 0);
    for (int64_t step = 1; step <= 12; ++step) {
      StepReport report;
      report.iteration = step;
      report.loss = 5.0 - 0.1 * static_cast<double>(step);
      history.step(report);
    }
    history.evaluation(10, 4.25);
  }
  History history(plan, 8);
  StepReport report;
  report.iteration = 9;
  report.loss = std::nan("");
  report.skipped = true;
  history.step(report);
  history.flush();
  const std::vector<std::string> lines = split(read_file(plan.jsonl), '\n');
  ASSERT_EQ(lines.size(), 10u);  // eight kept, one new, the end of the file
  EXPECT_NE(lines[7].find("\"step\":8,"), std::string::npos);
  EXPECT_NE(lines[8].find("\"loss\":null"), std::string::npos) << lines[8];
  const std::string picture = read_file(plan.curve_svg);
  EXPECT_NE(picture.find("<polyline"), std::string::npos);
  EXPECT_EQ(picture.find("<circle"), std::string::npos) << "the evaluation at step 10 was dropped";
}

TEST(CurveSvg, PointsStandWhereTheirValuesSayAndEmptyCurvesAreSaid) {
  const std::string picture = curve_svg("a < b", {{0, 2.0}, {10, 1.0}}, {{10, 1.5}});
  EXPECT_NE(picture.find("a &lt; b"), std::string::npos);
  // Frame: x 70..880, y 430..50 over 0.95..2.05; the dot at (10, 1.5) is in the middle of the height.
  EXPECT_NE(picture.find("<circle cx=\"880.0\" cy=\"240.0\""), std::string::npos) << picture;
  EXPECT_NE(curve_svg("t", {}, {}).find("no steps yet"), std::string::npos);
}

TEST(ProcessMemory, GrowsWithATouchedAllocation) {
  const ProcessMemory before = process_memory();
  const at::Tensor big = at::ones({16 << 20}, at::kFloat);  // 64 MiB
  const ProcessMemory after = process_memory();
  EXPECT_GT(after.resident_mb, before.resident_mb + 50.0);
  EXPECT_GE(after.peak_mb, after.resident_mb - 1.0);
}

}  // namespace
}  // namespace mindspeed
